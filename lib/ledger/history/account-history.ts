import type { Address, Hex } from "viem";
import { type BudgetOpening, EMPTY_BUDGET, EMPTY_BUDGET_OPENING, type NoteOpening } from "../crypto/commitments";
import type { EventPosition } from "../ledger-events";
import type { BatchCopy } from "../seal/batch-copy";

/** A note of the account. `opening` is null when its ciphertext is unreadable: it cannot be spent or counted. */
interface HeldNote {
  note: bigint;
  opening: NoteOpening | null;
  spent: boolean;
  receivedAt: EventPosition;
}

/** A payment that the events after it complete: a ruled one, or a batch. `former` is the opening before it. */
type Unfinished =
  | { by: "Ruled"; entry: HistoryEntry; former: BudgetOpening | null; note: bigint | null }
  | { by: "Paid"; copy: BatchCopy | null; transactionHash: Hex; index: number };

/** Everything of one asset. `budget` is null when its word could not be opened: allocating needs its opening. */
export interface AssetHistory {
  credit: bigint;
  notes: Map<bigint, HeldNote>;
  budgetWord: bigint;
  budget: BudgetOpening | null;
  /** No more than this is in the budget, also when it does not open; null when the events do not bound it. */
  atMost: bigint | null;
  unfinished: Unfinished | null;
}

/**
 * One line of the account's history. `amount` is in units, null when it cannot be opened; `counterparty` is the other
 * address. `seed` and `noteSalt` open the memo, where there is one (docs/protocol.md section 6).
 */
export interface HistoryEntry extends EventPosition {
  type: "deposit" | "allocation" | "sent" | "received" | "released" | "funded_out" | "funded_in" | "abandoned";
  asset: Address;
  amount: bigint | null;
  counterparty?: Address;
  /** The word the service files this payment under: the note of a transfer, else the payer's new budget word. */
  commitment?: bigint;
  noteSalt?: bigint;
  seed?: Uint8Array;
  /** What finds the request of an own payment again (`requestTag`). */
  tag?: Uint8Array;
  /** What a received payment is for, where its payer said so. */
  binding?: Uint8Array;
}

export interface AccountHistory {
  assets: Map<Address, AssetHistory>;
  entries: HistoryEntry[];
}

/** A history before the first event. */
export function newHistory(): AccountHistory {
  return { assets: new Map(), entries: [] };
}

/** What a history has of an asset, from now on. */
export function assetIn(history: AccountHistory, asset: Address): AssetHistory {
  const known = history.assets.get(asset);
  if (known) return known;
  const budget = { budgetWord: EMPTY_BUDGET, budget: EMPTY_BUDGET_OPENING, atMost: 0n };
  const fresh: AssetHistory = { credit: 0n, notes: new Map(), ...budget, unfinished: null };
  history.assets.set(asset, fresh);
  return fresh;
}

/** The open notes of an asset that can be spent, largest first. */
export function spendableNotes(holding: AssetHistory): NoteOpening[] {
  const openings = [...holding.notes.values()].flatMap(({ spent, opening }) => (spent || !opening ? [] : [opening]));
  return openings.sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? 1 : -1));
}
