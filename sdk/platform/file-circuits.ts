import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CircuitCache } from "./service-circuits";

/** A cache of circuits in files named by their hash. A file that can't be read or written counts as missing. */
export class FileCircuits implements CircuitCache {
  constructor(private readonly directory: string) {}

  async get(hash: string): Promise<Uint8Array | undefined> {
    const read = async () => new Uint8Array(await readFile(join(this.directory, hash)));
    return read().catch(() => undefined);
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
