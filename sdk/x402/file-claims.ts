import { randomUUID } from "node:crypto";
import { link, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Hex } from "viem";
import type { PaymentClaims } from "./claims";

const isCode = (error: unknown, code: string) => (error as NodeJS.ErrnoException).code === code;

/** Allows only hex in file names. */
const named = (hex: Hex): string => {
  if (/^0x[0-9a-f]+$/i.test(hex)) return hex.slice(2).toLowerCase();
  throw new TypeError("A note and a binding are hex.");
};

/** Keeps claims in a folder, for all processes of one machine. A claim survives a crash as soon as it is made. */
export function fileClaims(folder: string): PaymentClaims {
  /** Creates a file with its complete content, or not at all. Returns `false` if it exists. */
  async function created(name: string, content: string): Promise<boolean> {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const written = join(folder, `.${randomUUID()}`);
    const handle = await open(written, "wx", 0o600);
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    try {
      await link(written, join(folder, name));
      return true;
    } catch (error) {
      if (isCode(error, "EEXIST")) return false;
      throw error;
    } finally {
      await rm(written);
    }
  }

  async function isFor(name: string, content: string): Promise<boolean> {
    try {
      return (await readFile(join(folder, name), "utf8")) === content;
    } catch (error) {
      if (isCode(error, "ENOENT")) return false;
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
        if (!(await created(name, other)) && !(await isFor(name, other))) return false;
      }
      for (let time = 1; time <= atMost; time++) {
        if (await created(`time-${named(note)}-${time}`, "")) return true;
      }
      return false;
    },
    async has(note, binding) {
      const both = await Promise.all(placesOf(note, binding).map(([name, other]) => isFor(name, other)));
      return both.every(Boolean);
    },
  };
}
