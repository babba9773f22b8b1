import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TextStore } from "../context/text-store";

/** Texts in a folder of this machine, one file each, which only this user can read. */
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
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const written = join(this.folder, `.${randomUUID()}`);
    const handle = await open(written, "wx", 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(written, this.fileOf(name));
  }

  async delete(name: string): Promise<void> {
    await rm(this.fileOf(name), { force: true });
  }

  /** A name may hold an API key or a price: neither is to be read in a folder. */
  private fileOf(name: string): string {
    return join(this.folder, `${createHash("sha256").update(name).digest("hex")}.json`);
  }
}
