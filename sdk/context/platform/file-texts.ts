import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TextStore } from "../text-store";
import { createWhole, writeWhole } from "./whole-file";

/** Texts in a folder of this machine: one file for each, readable only by this user. */
export class FileTexts implements TextStore {
  constructor(private readonly folder: string) {}

  async get(name: string): Promise<string | undefined> {
    try {
      return await readFile(this.fileOf(name), "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
      throw error;
    }
  }

  async set(name: string, text: string): Promise<void> {
    await writeWhole(this.folder, nameOf(name), text);
  }

  async add(name: string, text: string): Promise<boolean> {
    return createWhole(this.folder, nameOf(name), text);
  }

  async delete(name: string): Promise<void> {
    await rm(this.fileOf(name), { force: true });
  }

  private fileOf(name: string): string {
    return join(this.folder, nameOf(name));
  }
}

/** Hashes a text's name, which may contain an API key or a price that must not show in the folder. */
const nameOf = (name: string) => `${createHash("sha256").update(name).digest("hex")}.json`;
