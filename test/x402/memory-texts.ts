import type { TextStore } from "@/sdk/context/text-store";

/** Keeps texts in memory. */
export function memoryTexts(): TextStore {
  const texts = new Map<string, string>();
  return {
    get: async (name) => texts.get(name),
    set: async (name, text) => void texts.set(name, text),
    add: async (name, text) => !texts.has(name) && Boolean(texts.set(name, text)),
    delete: async (name) => void texts.delete(name),
  };
}
