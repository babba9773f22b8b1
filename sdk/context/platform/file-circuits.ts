import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CircuitCache } from "./service-circuits";

/** A cache of circuits in files named by their hash. A file that can't be read or written counts as missing. */
export class FileCircuits implements CircuitCache {
  /**
   * @param packaged folder of circuits that came with the client
   */
  constructor(
    private readonly directory: string,
    private readonly packaged?: string,
  ) {}

  async get(hash: string): Promise<Uint8Array | undefined> {
    for (const folder of [this.packaged, this.directory]) {
      const found = folder && (await readFile(join(folder, hash)).catch(() => undefined));
      if (found) return new Uint8Array(found);
    }
    return undefined;
  }

  async put(hash: string, circuit: Uint8Array): Promise<void> {
    const draft = join(this.directory, `${hash}.${crypto.randomUUID()}`);
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 });
      await writeFile(draft, circuit, { mode: 0o600 });
      await rename(draft, join(this.directory, hash));
    } catch {
      await rm(draft, { force: true }).catch(() => {});
    }
  }
}
