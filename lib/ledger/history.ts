import type { Address } from "viem";
import { fromHex } from "./crypto/bytes";
import {
  type BudgetOpening,
  EMPTY_BUDGET,
  EMPTY_BUDGET_OPENING,
  EMPTY_NOTE,
  type NoteOpening,
} from "./crypto/commitments";
import type { Scope } from "./crypto/scope";
import type { EventPosition, MoneyEvent } from "./history-events";
import { lowerCase } from "./prepare/next-state";
import { budgetOfCopy, noteOfCopy, openPayerCopy, openRecipientCopy } from "./seal/copies";

/** A note of the account. `opening` is null when its ciphertext is unreadable: it cannot be spent or counted. */
interface HeldNote {
  note: bigint;
  opening: NoteOpening | null;
  spent: boolean;
  receivedAt: EventPosition;
}

/** Everything of one asset. `budget` is null when its word could not be opened: allocating needs its opening. */
export interface AssetHistory {
  credit: bigint;
  notes: Map<bigint, HeldNote>;
  budgetWord: bigint;
  budget: BudgetOpening | null;
  /** No more than this is in the budget, also when it does not open; null when the events do not bound it. */
  atMost: bigint | null;
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
  /** The word the service files this payment under: the note of a transfer, the new budget word of a release. */
  commitment?: bigint;
  noteSalt?: bigint;
  seed?: Uint8Array;
}

export interface AccountHistory {
  assets: Map<Address, AssetHistory>;
  entries: HistoryEntry[];
}

interface Reader {
  scope: Scope;
  account: Address;
  viewingSecret: Uint8Array;
}

function assetOf(history: AccountHistory, asset: Address): AssetHistory {
  const known = history.assets.get(asset);
  if (known) return known;
  const fresh = { credit: 0n, notes: new Map(), budgetWord: EMPTY_BUDGET, budget: EMPTY_BUDGET_OPENING, atMost: 0n };
  history.assets.set(asset, fresh);
  return fresh;
}

/**
 * Moves the budget to its new word and opens it when the payer copy recomputes it from the old one.
 *
 * @param change by how much the budget grew at most; negative: shrank at least; null when the event does not say
 */
async function moveBudget(
  reader: Reader,
  asset: Address,
  holding: AssetHistory,
  words: { before: bigint; after: bigint },
  ciphertext: string,
  change: bigint | null,
) {
  const ref = { scope: reader.scope, account: reader.account, asset, commitment: words.after };
  const opened = await openPayerCopy(reader.viewingSecret, ref, fromHex(ciphertext));
  const former = holding.budget;
  const bound = holding.atMost === null || change === null ? null : holding.atMost + change;
  holding.budgetWord = words.after;
  holding.budget = opened && budgetOfCopy(opened, ref, words.before);
  holding.atMost = holding.budget ? holding.budget.limit : bound;
  return { copy: holding.budget && opened, former };
}

async function foldAllocation(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: Extract<MoneyEvent, { eventName: "Allocated" }>["args"],
): Promise<void> {
  const asset = lowerCase(args.asset);
  const holding = assetOf(history, asset);
  holding.credit -= args.credit;
  let added: bigint | null = args.credit;
  for (const note of args.notes) {
    const held = holding.notes.get(note);
    if (!held) continue;
    held.spent = true;
    added = added !== null && held.opening ? added + held.opening.amount : null;
  }
  const words = { before: args.oldBudget, after: args.newBudget };
  const { copy } = await moveBudget(reader, asset, holding, words, args.ciphertext, added);
  if (args.changeNote !== EMPTY_NOTE) {
    const { scope, account } = reader;
    const opening = copy && noteOfCopy(copy, { scope, account, asset, commitment: args.changeNote });
    holding.notes.set(args.changeNote, { note: args.changeNote, opening, spent: false, receivedAt: at });
  }
  history.entries.push({ ...at, type: "allocation", asset, amount: copy ? copy.limit : null });
}

async function foldTransfer(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: Extract<MoneyEvent, { eventName: "Transferred" }>["args"],
): Promise<void> {
  const asset = lowerCase(args.asset);
  const [account, to] = [lowerCase(args.account), lowerCase(args.to)];
  const commitment = args.note;
  if (account === reader.account) {
    const holding = assetOf(history, asset);
    const words = { before: args.oldBudget, after: args.newBudget };
    const { copy } = await moveBudget(reader, asset, holding, words, args.payerCiphertext, -1n);
    const note = copy && noteOfCopy(copy, { scope: reader.scope, account: to, asset, commitment });
    const opened = note ? { amount: note.amount, noteSalt: note.salt } : { amount: null };
    history.entries.push({ ...at, type: "sent", asset, counterparty: to, commitment, ...opened });
  }
  if (to === reader.account) {
    const ref = { scope: reader.scope, account: to, asset, commitment };
    const opening = await openRecipientCopy(reader.viewingSecret, ref, fromHex(args.recipientCiphertext));
    assetOf(history, asset).notes.set(args.note, { note: args.note, opening, spent: false, receivedAt: at });
    const opened = opening ? { amount: opening.amount, noteSalt: opening.salt } : { amount: null };
    history.entries.push({ ...at, type: "received", asset, counterparty: account, commitment, ...opened });
  }
}

async function foldRelease(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: Extract<MoneyEvent, { eventName: "Released" }>["args"],
): Promise<void> {
  const asset = lowerCase(args.asset);
  const { amount, newBudget: commitment } = args;
  const words = { before: args.oldBudget, after: args.newBudget };
  const { copy } = await moveBudget(reader, asset, assetOf(history, asset), words, args.payerCiphertext, -amount);
  const counterparty = lowerCase(args.to);
  history.entries.push({ ...at, type: "released", asset, amount, counterparty, commitment, seed: copy?.seed });
}

/** The copy's amount is believed when the two limits differ by it, or when the former limit is not known. */
async function foldFund(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: Extract<MoneyEvent, { eventName: "Funded" }>["args"],
): Promise<void> {
  const asset = lowerCase(args.asset);
  const out = lowerCase(args.from) === reader.account;
  const words = out
    ? { before: args.fromOldBudget, after: args.fromNewBudget }
    : { before: args.toOldBudget, after: args.toNewBudget };
  const ciphertext = out ? args.fromCiphertext : args.toCiphertext;
  const { copy, former } = await moveBudget(
    reader,
    asset,
    assetOf(history, asset),
    words,
    ciphertext,
    out ? -1n : null,
  );
  const moved = copy && former && (out ? former.limit - copy.limit : copy.limit - former.limit);
  const amount = moved ?? copy?.amount ?? null;
  const counterparty = lowerCase(out ? args.to : args.from);
  history.entries.push({ ...at, type: out ? "funded_out" : "funded_in", asset, amount, counterparty });
}

async function foldEvent(reader: Reader, history: AccountHistory, event: MoneyEvent): Promise<void> {
  const { blockNumber, logIndex, transactionHash } = event;
  const at: EventPosition = { blockNumber, logIndex, transactionHash };
  const mine = (address: Address) => lowerCase(address) === reader.account;
  switch (event.eventName) {
    case "Deposited": {
      if (!mine(event.args.account)) return;
      const asset = lowerCase(event.args.asset);
      assetOf(history, asset).credit += event.args.units;
      history.entries.push({ ...at, type: "deposit", asset, amount: event.args.units });
      return;
    }
    case "Abandoned": {
      if (!mine(event.args.account)) return;
      const asset = lowerCase(event.args.asset);
      const holding = assetOf(history, asset);
      const amount = holding.budget?.limit ?? null;
      holding.budgetWord = EMPTY_BUDGET;
      holding.budget = EMPTY_BUDGET_OPENING;
      holding.atMost = 0n;
      history.entries.push({ ...at, type: "abandoned", asset, amount });
      return;
    }
    case "Allocated":
      if (mine(event.args.account)) await foldAllocation(reader, history, at, event.args);
      return;
    case "Transferred":
      await foldTransfer(reader, history, at, event.args);
      return;
    case "Released":
      if (mine(event.args.account)) await foldRelease(reader, history, at, event.args);
      return;
    case "Funded":
      if (mine(event.args.from) || mine(event.args.to)) await foldFund(reader, history, at, event.args);
      return;
  }
}

/** A history before the first event. */
export function newHistory(): AccountHistory {
  return { assets: new Map(), entries: [] };
}

/**
 * Folds ledger events into what one account (or agent: give the agent's address and its owner's viewing key) holds
 * and did. Events are taken in chain order, each once; calling again with later events continues `history`. Events of
 * others may be among them. Every opened value has been checked against its commitment.
 */
export async function foldHistory(
  scope: Scope,
  account: Address,
  viewingSecret: Uint8Array,
  events: readonly MoneyEvent[],
  history: AccountHistory = newHistory(),
): Promise<AccountHistory> {
  const reader = { scope, account: lowerCase(account), viewingSecret };
  const ordered = [...events].sort((a, b) =>
    a.blockNumber === b.blockNumber ? a.logIndex - b.logIndex : a.blockNumber < b.blockNumber ? -1 : 1,
  );
  for (const event of ordered) await foldEvent(reader, history, event);
  return history;
}

/** The open notes of an asset that can be spent, largest first. */
export function spendableNotes(holding: AssetHistory): NoteOpening[] {
  const openings = [...holding.notes.values()].flatMap(({ spent, opening }) => (spent || !opening ? [] : [opening]));
  return openings.sort((a, b) => (a.amount === b.amount ? 0 : a.amount < b.amount ? 1 : -1));
}
