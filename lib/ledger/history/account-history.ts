import type { Address, Hex } from "viem";
import {
  type AvailableOpening,
  EMPTY_AVAILABLE,
  EMPTY_AVAILABLE_OPENING,
  type NoteOpening,
} from "../crypto/commitments";
import type { BatchCopy } from "../encrypted/batch-copy";
import type { EventPosition } from "../ledger-events";

/**
 * A note of the account. `opening` is null if its ciphertext is unreadable; then it can be neither spent nor counted.
 */
interface HeldNote {
  note: bigint;
  opening: NoteOpening | null;
  spent: boolean;
  receivedAt: EventPosition;
}

/**
 * A payment that following events complete: one under a policy, or a batch. `former` is the opening of the available
 * balance before it.
 */
type Unfinished =
  | { by: "Limited"; entry: HistoryEntry; former: AvailableOpening | null; note: bigint | null }
  | { by: "Paid"; copy: BatchCopy | null; transactionHash: Hex; index: number };

/**
 * What the account has of one asset. `available` is null if its commitment can't be opened; then nothing can be made
 * available.
 */
export interface AssetHistory {
  deposited: bigint;
  notes: Map<bigint, HeldNote>;
  commitment: bigint;
  available: AvailableOpening | null;
  /** The most that the available balance can contain, even if it can't be opened; null if the events don't bound it. */
  atMost: bigint | null;
  unfinished: Unfinished | null;
  /** The last two epochs of payments with a home key, oldest first. */
  epochs: readonly SeenEpoch[];
}

/** An epoch (`crypto/epochs.ts`), and the block of the first payment that was made in it. */
interface SeenEpoch {
  seed: Uint8Array;
  blockNumber: bigint;
}

/**
 * An entry of the account's history. `amount` is in units, or null if it can't be decrypted; `counterparty` is the
 * other address. `seed` and `noteSalt` decrypt the memo, if there is one (docs/protocol.md section 6).
 */
export interface HistoryEntry extends EventPosition {
  type: "deposit" | "make_available" | "sent" | "received" | "released" | "funded_out" | "funded_in" | "abandoned";
  asset: Address;
  amount: bigint | null;
  counterparty?: Address;
  /**
   * The commitment under which the service stores this payment: the note of a transfer, else the payer's new available
   * balance commitment.
   */
  commitment?: bigint;
  noteSalt?: bigint;
  seed?: Uint8Array;
  /** The tag by which the request of an own payment is found again (`requestTag`). */
  tag?: Uint8Array;
  /** What a received payment is for, if its payer said so. */
  binding?: Uint8Array;
}

/** What an account holds, by asset, and the entries of its history in chain order. */
export interface AccountHistory {
  assets: Map<Address, AssetHistory>;
  entries: HistoryEntry[];
}

/** Returns a history before the first event. */
export function newHistory(): AccountHistory {
  return { assets: new Map(), entries: [] };
}

/** Returns the history's state of an asset, and creates it if there is none. */
export function assetIn(history: AccountHistory, asset: Address): AssetHistory {
  const known = history.assets.get(asset);
  if (known) return known;
  const available = { commitment: EMPTY_AVAILABLE, available: EMPTY_AVAILABLE_OPENING, atMost: 0n };
  const fresh: AssetHistory = { deposited: 0n, notes: new Map(), ...available, unfinished: null, epochs: [] };
  history.assets.set(asset, fresh);
  return fresh;
}

/** Returns the unspent notes of an asset whose opening is known, largest first. */
export function spendableNotes(holding: AssetHistory): NoteOpening[] {
  const openings = [...holding.notes.values()].flatMap(({ spent, opening }) => (spent || !opening ? [] : [opening]));
  return openings.sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? 1 : -1));
}
