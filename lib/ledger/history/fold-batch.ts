import { fromHex } from "../crypto/bytes";
import type { EventPosition, LedgerEvent } from "../ledger-events";
import { noteOfBatch, openBatchCopy } from "../seal/batch-copy";
import { type AccountHistory, assetIn } from "./account-history";
import { boundAfter, moveBudget, type Reader, refOf } from "./move-budget";

/** Processes an own `transferMany`. One event for each of its payments follows. */
export async function foldBatch(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"BatchTransferred">["args"],
): Promise<void> {
  const { asset, oldBudget, newBudget } = args;
  const holding = assetIn(history, asset);
  const ref = refOf(reader, asset, newBudget);
  const copy = await openBatchCopy(reader.viewingSecret, ref, fromHex(args.payerCiphertext));
  moveBudget(reader, asset, holding, { before: oldBudget, after: newBudget }, copy, 0n);
  holding.unfinished = { by: "Paid", copy, transactionHash: at.transactionHash, index: 0 };
}

/** Processes one payment of an own batch. They come in the order of the call. */
export function foldBatchPayment(
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
  if (!holding.budget) holding.atMost = boundAfter(holding, -(opening?.amount ?? 1n));
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
