import { fromHex } from "../crypto/bytes";
import { decryptBatchCopy, noteOfBatch } from "../encrypted/batch-copy";
import type { EventPosition, LedgerEvent } from "../ledger-events";
import { type AccountHistory, assetIn } from "./account-history";
import { boundAfter, moveAvailable, type Reader, refOf, seeEpoch } from "./move-available";

/** Processes an own `transferMany`. One event for each of its payments follows. */
export async function foldBatch(
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
