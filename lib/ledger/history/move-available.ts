import type { Address, Hex } from "viem";
import { equalBytes, fromHex } from "../crypto/bytes";
import type { AvailableOpening } from "../crypto/commitments";
import { paymentIdOf } from "../crypto/payment-id-of";
import type { CommitmentRef, Scope } from "../crypto/scope";
import { availableOfCopy, decryptPayerCopy, type PayerCopy } from "../encrypted/payer-copy";
import type { EventPosition } from "../ledger-events";
import type { AssetHistory } from "./account-history";

/** The account whose history is read, in lower case, and its viewing key. */
export interface Reader {
  scope: Scope;
  account: Address;
  viewingSecret: Uint8Array;
}

/** Returns the reference of a commitment of the reader's account. */
export function refOf({ scope, account }: Reader, asset: Address, commitment: bigint): CommitmentRef {
  return { scope, account, asset, commitment };
}

/**
 * Decrypts the payer's copy of the available balance with this commitment; returns null if that fails. Its content is
 * not verified yet.
 */
export function copyAt(reader: Reader, asset: Address, commitment: bigint, ciphertext: Hex): Promise<PayerCopy | null> {
  return decryptPayerCopy(reader.viewingSecret, refOf(reader, asset, commitment), fromHex(ciphertext));
}

/**
 * Sets the available balance's word and, if known, its opening.
 *
 * @param bound the most that the new available balance can contain, if its opening is not known
 */
export function setAvailable(
  holding: AssetHistory,
  commitment: bigint,
  available: AvailableOpening | null,
  bound: bigint | null,
): void {
  holding.commitment = commitment;
  holding.available = available;
  holding.atMost = available ? available.limit : bound;
  holding.unfinished = null;
}

/**
 * Returns the bound of an available balance after a change.
 *
 * @param change the most by which it grew, or (negative) the least by which it shrank; null if not known
 */
export function boundAfter({ atMost }: AssetHistory, change: bigint | null): bigint | null {
  return atMost === null || change === null ? null : atMost + change;
}

/**
 * Moves the available balance to its new commitment, and opens it if the copy's content matches that commitment. Copies
 * of payments under a policy never match: the `Limited` event that follows opens their available balance.
 */
export function moveAvailable(
  reader: Reader,
  asset: Address,
  holding: AssetHistory,
  commitments: { before: bigint; after: bigint },
  copy: Pick<PayerCopy, "limit" | "window" | "seed"> | null,
  change: bigint | null,
): void {
  const available = copy && availableOfCopy(copy, refOf(reader, asset, commitments.after), commitments.before);
  setAvailable(holding, commitments.after, available, boundAfter(holding, change));
}

/** Returns seed and tag of a copy, provided that the payment id on chain is derived from its seed. */
export function marksOf({ scope }: Reader, copy: PayerCopy | null, paymentId: Hex) {
  return copy && paymentIdOf(copy.seed, scope) === paymentId ? { seed: copy.seed, tag: copy.tag } : {};
}

/** Records the epoch of an own payment, if its copy is what the chain shows. */
export function seeEpoch(
  holding: AssetHistory,
  { blockNumber }: EventPosition,
  copy: { epoch?: { seed: Uint8Array } } | null,
  isShown: unknown,
): void {
  const seed = isShown ? copy?.epoch?.seed : undefined;
  if (!seed || holding.epochs.some((seen) => equalBytes(seen.seed, seed))) return;
  holding.epochs = [...holding.epochs, { seed, blockNumber }].slice(-2);
}
