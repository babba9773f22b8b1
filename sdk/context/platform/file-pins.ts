import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { HalcyonError } from "../../api/errors";
import type { PinPlace, PinStore } from "../pins";

interface PinFile {
  version: 1;
  /** Service address and network → the ledger first seen there. */
  ledgers: Record<string, string>;
  /** Chain, ledger and domain salt → symbol → the address, decimals and unit first seen. */
  assets?: Record<string, Record<string, string>>;
  /** Chain, ledger and domain salt → handle → the address first seen. */
  handles: Record<string, Record<string, string>>;
  /** Chain, ledger and domain salt → one's own account → its handle. */
  names?: Record<string, Record<string, string>>;
  /** Chain, ledger and domain salt → account → the highest version of its account secret. */
  secrets?: Record<string, Record<string, string>>;
  /** Chain, ledger and domain salt → the strictest finality: 0 latest, 1 safe, 2 finalized. */
  finality?: Record<string, string>;
}

type Table = { [key: string]: string | Table };

/** The last pending change of each file in this process. The next change waits for it and reads its result. */
const changing = new Map<string, Promise<unknown>>();

/** Pins in one JSON file with mode 0600. Any number of clients in one process may share it. */
export class FilePins implements PinStore {
  private readonly path: string;

  constructor(directory: string) {
    this.path = join(directory, "pins.json");
  }

  remedy(): string {
    return `remove its line from ${this.path}`;
  }

  async pin(place: PinPlace, value: string): Promise<string> {
    return this.keep(place, (known) => known ?? value);
  }

  async raise(place: PinPlace, value: number): Promise<number> {
    return Number(await this.keep(place, (known) => String(Math.max(value, Number(known ?? 0)))));
  }

  /** Replaces the value at a place by `next` of the current value, after all changes begun earlier. */
  private keep(place: PinPlace, next: (known: string | undefined) => string): Promise<string> {
    const kept = (changing.get(this.path) ?? Promise.resolve()).then(() => this.change(place, next));
    const settled = kept.catch(() => undefined);
    changing.set(this.path, settled);
    void settled.then(() => {
      if (changing.get(this.path) === settled) changing.delete(this.path);
    });
    return kept;
  }

  private async change(place: PinPlace, next: (known: string | undefined) => string): Promise<string> {
    const file = await this.read();
    let table = file as unknown as Table;
    for (const key of place.slice(0, -1)) {
      if (!Object.hasOwn(table, key)) table[key] = {};
      table = table[key] as Table;
    }
    const last = place[place.length - 1] as string;
    const known = Object.hasOwn(table, last) ? (table[last] as string) : undefined;
    const value = next(known);
    if (value === known) return value;
    table[last] = value;
    await this.write(file);
    return value;
  }

  async peek(place: PinPlace): Promise<string | undefined> {
    let found: Table | string | undefined = (await this.read()) as unknown as Table;
    for (const key of place) found = typeof found === "object" && Object.hasOwn(found, key) ? found[key] : undefined;
    return typeof found === "string" ? found : undefined;
  }

  private async read(): Promise<PinFile> {
    let text: string;
    try {
      text = await readFile(this.path, "utf8");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return { version: 1, ledgers: {}, handles: {} };
      throw error;
    }
    try {
      const file = JSON.parse(text) as PinFile;
      if (file.version === 1 && file.ledgers && file.handles) return file;
    } catch {
      // Falls through: a damaged file is treated like a file of another version.
    }
    // Don't start over silently: that would lose the pins that protect payments.
    throw new HalcyonError("invalid_request", `${this.path} is damaged. Repair it, or remove it to pin afresh.`);
  }

  private async write(file: PinFile): Promise<void> {
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    const draft = `${this.path}.${process.pid}`;
    await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    await chmod(draft, 0o600);
    await rename(draft, this.path);
  }
}
