import type { Hex } from "viem";
import { fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { UnsealFailed } from "@/lib/ledger/crypto/errors";
import { openShownFunds, type ShownFunds, sealShownFunds } from "@/lib/ledger/funds/shown-funds";
import type { Context } from "../context/context";
import { ledgerKey } from "../context/pins";

interface Served {
  version: number;
  sealed: Hex | null;
}

/** What the account's proofs of funds have shown, as the service keeps it for the owner's devices. */
export interface ShownRecord {
  entries: ShownFunds[];
  /** The version the service has; 0: none. */
  served: number;
  /** The highest version that is known to have been written. */
  highest: number;
  /** The service has an older record than this machine has seen, or one that can't be decrypted: nothing is known then. */
  isLost: boolean;
}

/** Whose record it is, and under which key. */
async function placeOf(context: Context) {
  const [info, scope, vault] = await Promise.all([context.info(), context.scope(), context.vault()]);
  return { scope, seedKey: vault.seedKey, account: context.wallet.address, ledger: ledgerKey(info) };
}

/**
 * The account's record. It opens as the version it was written as and no other, and this machine remembers the highest
 * one it saw, so a service can withhold a record but not pass an older one off as the newest.
 */
export async function readShownRecord(context: Context): Promise<ShownRecord> {
  const { scope, seedKey, account, ledger } = await placeOf(context);
  const { version, sealed } = await (await context.session()).get<Served>("/api/shown-funds");
  const seen = await context.pins.shownFundsSeen(ledger, account);
  const lost = { entries: [], served: version, highest: Math.max(seen, version), isLost: true };
  if (version < seen) return lost;
  // A version without its record is one the service withholds.
  if (sealed === null) return { ...lost, isLost: version > 0 };
  try {
    const entries = openShownFunds(seedKey, scope, account, version, fromHex(sealed));
    await context.pins.seeShownFunds(ledger, account, version);
    return { entries, served: version, highest: version, isLost: false };
  } catch (error) {
    if (error instanceof UnsealFailed) return lost;
    throw error;
  }
}

/**
 * Writes the record that follows one that was read.
 *
 * @returns false when another device has written meanwhile: read it again
 */
export async function writeShownRecord(context: Context, read: ShownRecord, entries: ShownFunds[]): Promise<boolean> {
  const { scope, seedKey, account, ledger } = await placeOf(context);
  const version = read.highest + 1;
  const sealed = toHex(sealShownFunds(seedKey, scope, account, version, entries));
  const body = { expected: read.served, version, sealed };
  const response = await (await context.session()).post<Served & { taken: boolean }>("/api/shown-funds", body);
  // When the first response was lost, the request that repeats it finds its own record.
  if (!response.taken && response.sealed !== sealed) return false;
  await context.pins.seeShownFunds(ledger, account, version);
  return true;
}
