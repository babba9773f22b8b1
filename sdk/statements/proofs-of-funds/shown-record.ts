import type { Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { DecryptionFailed } from "@/lib/ledger/crypto/errors";
import { decryptShownFunds, encryptShownFunds, type ShownFunds } from "@/lib/ledger/funds/shown-funds";
import type { Context } from "../../context/context";
import { ledgerKey } from "../../context/pins";

interface Served {
  version: number;
  encrypted: Hex | null;
}

/**
 * The record of what the account's proofs of funds have shown. The service stores it for the owner's devices,
 * encrypted.
 */
export interface ShownRecord {
  entries: ShownFunds[];
  /** The service's version; 0 for none. */
  served: number;
  /** The highest version known to have been written. */
  highest: number;
  /**
   * The service has an older record than this machine has seen, or one that can't be decrypted. What was shown is then
   * unknown.
   */
  isLost: boolean;
}

/** Returns the account the record belongs to, and the key it is encrypted under. */
async function placeOf(context: Context) {
  const [info, scope, vault] = await Promise.all([context.info(), context.scope(), context.vault()]);
  return { scope, seedKey: vault.seedKey, account: context.wallet.address, ledger: ledgerKey(info) };
}

/**
 * Reads the account's record. It can be decrypted only as the version it was written as, and this machine remembers the
 * highest version it saw. So a service can withhold a record, but can't present an older one as the newest.
 */
export async function readShownRecord(context: Context): Promise<ShownRecord> {
  const { scope, seedKey, account, ledger } = await placeOf(context);
  const { version, encrypted } = await (await context.session()).get<Served>("/api/shown-funds");
  const seen = await context.pins.shownFundsSeen(ledger, account);
  const lost = { entries: [], served: version, highest: Math.max(seen, version), isLost: true };
  if (version < seen) return lost;
  // If there is a version but no record, the service withholds the record.
  if (encrypted === null) return { ...lost, isLost: version > 0 };
  try {
    const entries = decryptShownFunds(seedKey, scope, account, version, fromHex(encrypted));
    await context.pins.seeShownFunds(ledger, account, version);
    return { entries, served: version, highest: version, isLost: false };
  } catch (error) {
    if (error instanceof DecryptionFailed) return lost;
    throw error;
  }
}

/**
 * Writes the successor of a record that was read.
 *
 * @returns false when another device has written in the meantime: read it again
 */
export async function writeShownRecord(context: Context, read: ShownRecord, entries: ShownFunds[]): Promise<boolean> {
  const { scope, seedKey, account, ledger } = await placeOf(context);
  const version = read.highest + 1;
  const encrypted = toHex(encryptShownFunds(seedKey, scope, account, version, entries));
  const body = { expected: read.served, version, encrypted };
  const response = await (await context.session()).post<Served & { taken: boolean }>("/api/shown-funds", body);
  // If the first response was lost, the repeated request finds its own record.
  if (!response.taken && response.encrypted !== encrypted) return false;
  await context.pins.seeShownFunds(ledger, account, version);
  return true;
}
