import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TextStore } from "../context/text-store";

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

  /**
   * Returns the file for a name. Hashes the name, which may contain an API key or a price that must not show in the
   * folder.
   */
  private fileOf(name: string): string {
    return join(this.folder, `${createHash("sha256").update(name).digest("hex")}.json`);
  }
}
