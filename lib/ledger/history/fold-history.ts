import type { Address } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { decryptBatchCopy, noteOfBatch } from "@/lib/ledger/encrypted/batch-copy";
import { EMPTY_AVAILABLE, EMPTY_AVAILABLE_OPENING, EMPTY_NOTE } from "../crypto/commitments";
import type { Scope } from "../crypto/scope";
import { noteOfCopy } from "../encrypted/payer-copy";
import { type EventPosition, inLowerCase, type LedgerEvent, type MoneyEvent } from "../ledger-events";
import { lowerCase } from "../prepare/next-state";
import { type AccountHistory, assetIn, newHistory } from "./account-history";
import { foldLimited, foldReceived, foldReleased, foldSent } from "./fold-payment";
import {
  boundAfter,
  copyAt,
  marksOf,
  moveAvailable,
  type Reader,
  refOf,
  seeEpoch,
  setAvailable,
} from "./move-available";

async function foldMadeAvailable(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"MadeAvailable">["args"],
): Promise<void> {
  const { asset, oldAvailable, newAvailable, changeNote } = args;
  const holding = assetIn(history, asset);
  holding.deposited -= args.deposited;
  let added: bigint | null = args.deposited;
  for (const note of args.notes) {
    const held = holding.notes.get(note);
    if (!held) continue;
    held.spent = true;
    added = added !== null && held.opening ? added + held.opening.amount : null;
  }
  const copy = await copyAt(reader, asset, newAvailable, args.ciphertext);
  moveAvailable(reader, asset, holding, { before: oldAvailable, after: newAvailable }, copy, added);
  if (changeNote !== EMPTY_NOTE) {
    const opening = copy && noteOfCopy(copy, refOf(reader, asset, changeNote));
    holding.notes.set(changeNote, { note: changeNote, opening, spent: false, receivedAt: at });
  }
  history.entries.push({ ...at, type: "make_available", asset, amount: holding.available?.limit ?? null });
}

/**
 * Processes a move between owner and agent. The amount is the difference of the two limits. The copy's amount is used
 * only if the former limit is unknown.
 */
async function foldFunded(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"Funded">["args"],
): Promise<void> {
  const { asset, from, to } = args;
  const holding = assetIn(history, asset);
  const former = holding.available;
  const out = from === reader.account;
  const commitments = out
    ? { before: args.fromOldAvailable, after: args.fromNewAvailable }
    : { before: args.toOldAvailable, after: args.toNewAvailable };
  const copy = await copyAt(reader, asset, commitments.after, out ? args.fromCiphertext : args.toCiphertext);
  moveAvailable(reader, asset, holding, commitments, copy, out ? -1n : null);
  const now = holding.available;
  const marks = marksOf(reader, copy, args.paymentId);
  seeEpoch(holding, at, copy, out && marks?.seed);
  const moved = now && former && (out ? former.limit - now.limit : now.limit - former.limit);
  history.entries.push({
    ...at,
    type: out ? "funded_out" : "funded_in",
    asset,
    amount: moved ?? (now && copy ? copy.amount : null),
    counterparty: out ? to : from,
    commitment: args.fromNewAvailable,
    ...marks,
  });
}

function foldAbandoned(history: AccountHistory, at: EventPosition, { asset }: LedgerEvent<"Abandoned">["args"]): void {
  const holding = assetIn(history, asset);
  history.entries.push({ ...at, type: "abandoned", asset, amount: holding.available?.limit ?? null });
  setAvailable(holding, EMPTY_AVAILABLE, EMPTY_AVAILABLE_OPENING, 0n);
}

function foldDeposited(history: AccountHistory, at: EventPosition, args: LedgerEvent<"Deposited">["args"]): void {
  const { asset, units } = args;
  assetIn(history, asset).deposited += units;
  history.entries.push({ ...at, type: "deposit", asset, amount: units });
}

async function foldEvent(reader: Reader, history: AccountHistory, event: MoneyEvent): Promise<void> {
  const { blockNumber, logIndex, transactionHash, eventName, args } = event;
  const at: EventPosition = { blockNumber, logIndex, transactionHash };
  const mine = (address: Address) => address === reader.account;
  if (eventName === "Funded") {
    if (mine(args.from) || mine(args.to)) await foldFunded(reader, history, at, args);
    return;
  }
  if ((eventName === "Transferred" || eventName === "Paid") && mine(args.to)) {
    return foldReceived(reader, history, at, args);
  }
  if (!mine(args.account)) return;
  switch (eventName) {
    case "Deposited":
      return foldDeposited(history, at, args);
    case "Abandoned":
      return foldAbandoned(history, at, args);
    case "MadeAvailable":
      return foldMadeAvailable(reader, history, at, args);
    case "Transferred":
      return foldSent(reader, history, at, args);
    case "Released":
      return foldReleased(reader, history, at, args);
    case "Limited":
      return foldLimited(history, args);
    case "BatchTransferred":
      return foldBatch(reader, history, at, args);
    case "Paid":
      return foldBatchPayment(reader, history, at, args);
  }
}

/**
 * Folds ledger events into what one account holds and did. For an agent, pass the agent's address and its owner's
 * viewing key. Events are processed in chain order, each once, and may include those of others. Call it again with
 * later events to continue `history`. Every opened value is checked against its commitment.
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
  for (const event of ordered) await foldEvent(reader, history, inLowerCase(event));
  return history;
}

/** Processes an own `transferMany`. One event for each of its payments follows. */
async function foldBatch(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"BatchTransferred">["args"],
): Promise<void> {
  const { asset, oldAvailable, newAvailable } = args;
  const holding = assetIn(history, asset);
  const ref = refOf(reader, asset, newAvailable);
  const copy = await decryptBatchCopy(reader.viewingSecret, ref, fromHex(args.payerCiphertext));
  moveAvailable(reader, asset, holding, { before: oldAvailable, after: newAvailable }, copy, 0n);
  holding.unfinished = { by: "Paid", copy, transactionHash: at.transactionHash, index: 0 };
}

/** Processes one payment of an own batch. They come in the order of the call. */
function foldBatchPayment(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"Paid">["args"],
): void {
  const { asset, to: counterparty, note: commitment } = args;
  const holding = assetIn(history, asset);
  const batch = holding.unfinished;
  const copy = batch?.by === "Paid" && batch.transactionHash === at.transactionHash ? batch.copy : null;
  const ref = refOf({ ...reader, account: counterparty }, asset, commitment);
  const opening = batch?.by === "Paid" && copy ? noteOfBatch(copy, ref, batch.index) : null;
  const tag = batch?.by === "Paid" && copy ? copy.tags[batch.index] : undefined;
  if (batch?.by === "Paid") batch.index += 1;
  seeEpoch(holding, at, copy, opening);
  if (!holding.available) holding.atMost = boundAfter(holding, -(opening?.amount ?? 1n));
  history.entries.push({
    ...at,
    type: "sent",
    asset,
    counterparty,
    commitment,
    amount: opening?.amount ?? null,
    ...(copy && opening && { noteSalt: opening.salt, tag }),
  });
}
