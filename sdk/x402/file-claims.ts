import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "viem";
import { createWhole } from "../context/platform/whole-file";
import type { PaymentClaims } from "./claims";

/** Allows only hex in file names. */
const named = (hex: Hex): string => {
  if (/^0x[0-9a-f]+$/i.test(hex)) return hex.slice(2).toLowerCase();
  throw new TypeError("A note and a binding are hex.");
};

/** Keeps claims in a folder, for all processes of one machine. A claim survives a crash as soon as it is made. */
export function fileClaims(folder: string): PaymentClaims {
  async function isFor(name: string, content: string): Promise<boolean> {
    try {
      return (await readFile(join(folder, name), "utf8")) === content;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
      throw error;
    }
  }

  const placesOf = (note: Hex, binding: Hex) => {
    const [ofNote, ofBinding] = [named(note), named(binding)];
    return [
      [`note-${ofNote}`, ofBinding],
      [`binding-${ofBinding}`, ofNote],
    ] as const;
  };

  return {
    async claim(note, binding, atMost) {
      for (const [name, other] of placesOf(note, binding)) {
        if (!(await createWhole(folder, name, other)) && !(await isFor(name, other))) return false;
      }
      for (let time = 1; time <= atMost; time++) {
        if (await createWhole(folder, `time-${named(note)}-${time}`, "")) return true;
      }
      return false;
    },
    async has(note, binding) {
      const both = await Promise.all(placesOf(note, binding).map(([name, other]) => isFor(name, other)));
      return both.every(Boolean);
    },
  };
}
