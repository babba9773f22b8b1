import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Address } from "viem";
import { HalcyonError, PinMismatch } from "./errors";
import type { NetworkInfo } from "./network-info";

interface PinFile {
  version: 1;
  /** Service address and network → the ledger seen there first. */
  ledgers: Record<string, string>;
  /** Chain, ledger and domain salt → handle → address seen first. */
  handles: Record<string, Record<string, string>>;
}

/**
 * Remembers at first use which ledger a service names and which address a handle has, so that a service that is taken
 * over later cannot redirect payments of this machine (docs/protocol.md section 9). One JSON file, mode 0600.
 */
export class Pins {
  private readonly path: string;

  constructor(directory: string) {
    this.path = join(directory, "pins.json");
  }

  /** Pins or checks the ledger of a service. Ledgers of a local stack come and go and are not pinned. */
  async checkLedger(serviceUrl: string, info: NetworkInfo): Promise<void> {
    if (info.local && isLoopback(serviceUrl)) return;
    const key = `${serviceUrl}#${info.network}`;
    const seen = ledgerKey(info);
    const pinned = await this.pin((file) => file.ledgers, key, seen);
    if (pinned === seen) return;
    throw new PinMismatch(
      `${serviceUrl} names another ledger for the ${info.network} network than before. Do not pay until you know why; ` +
        `then remove its line from ${this.path}.`,
    );
  }

  /** Pins or checks the address of a handle; returns the address. */
  async checkHandle(info: NetworkInfo, handle: string, address: Address): Promise<Address> {
    const ledger = ledgerKey(info);
    const seen = address.toLowerCase();
    const pinned = await this.pin(
      (file) => {
        file.handles[ledger] ??= {};
        return file.handles[ledger];
      },
      handle.toLowerCase(),
      seen,
    );
    if (pinned === seen) return address;
    throw new PinMismatch(
      `${handle} now has another address than at the first payment. Do not pay until you have asked its owner; then ` +
        `remove its line from ${this.path}.`,
    );
  }

  private async pin(table: (file: PinFile) => Record<string, string>, key: string, value: string): Promise<string> {
    const file = await this.read();
    const entries = table(file);
    const known = Object.hasOwn(entries, key) ? entries[key] : undefined;
    if (known !== undefined) return known;
    entries[key] = value;
    await this.write(file);
    return value;
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
      // Falls through: a damaged file is as bad as one of another version.
    }
    // Starting afresh silently would forget what protects the payments.
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

function ledgerKey(info: NetworkInfo): string {
  return `${info.chainId}/${info.ledger.toLowerCase()}/${info.domainSalt}`;
}

function isLoopback(url: string): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(new URL(url).hostname);
}
