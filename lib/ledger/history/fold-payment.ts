import { equalBytes, fromHex } from "../crypto/bytes";
import { noteOfCopy } from "../encrypted/payer-copy";
import { decryptRecipientCopy, NO_BINDING } from "../encrypted/recipient-copy";
import { type FollowedPayment, followLimited } from "../follow-limited";
import type { EventPosition, LedgerEvent } from "../ledger-events";
import { type AccountHistory, assetIn, type HistoryEntry } from "./account-history";
import { copyAt, marksOf, moveAvailable, type Reader, refOf, seeEpoch, setAvailable } from "./move-available";

/** Processes an own payment by `transfer` or `spend`. */
export async function foldSent(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"Transferred">["args"],
): Promise<void> {
  const { asset, to, note, oldAvailable, newAvailable } = args;
  const holding = assetIn(history, asset);
  const former = holding.available;
  const copy = await copyAt(reader, asset, newAvailable, args.payerCiphertext);
  const opening = copy && noteOfCopy(copy, refOf({ ...reader, account: to }, asset, note));
  moveAvailable(reader, asset, holding, { before: oldAvailable, after: newAvailable }, copy, -(opening?.amount ?? 1n));
  seeEpoch(holding, at, copy, opening);
  const entry: HistoryEntry = {
    ...at,
    type: "sent",
    asset,
    counterparty: to,
    commitment: note,
    amount: opening?.amount ?? null,
    ...(copy && opening && { noteSalt: opening.salt, seed: copy.seed, tag: copy.tag }),
  };
  history.entries.push(entry);
  holding.unfinished = { by: "Limited", entry, former, note };
}

/** Processes an own payment by `release` or `spendPublic`. */
export async function foldReleased(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"Released">["args"],
): Promise<void> {
  const { asset, amount, to: counterparty, oldAvailable, newAvailable } = args;
  const holding = assetIn(history, asset);
  const former = holding.available;
  const copy = await copyAt(reader, asset, newAvailable, args.payerCiphertext);
  moveAvailable(reader, asset, holding, { before: oldAvailable, after: newAvailable }, copy, -amount);
  const marks = marksOf(reader, copy, args.paymentId);
  seeEpoch(holding, at, copy, marks?.seed);
  const entry: HistoryEntry = {
    ...at,
    type: "released",
    asset,
    amount,
    counterparty,
    commitment: newAvailable,
    ...marks,
  };
  history.entries.push(entry);
  holding.unfinished = { by: "Limited", entry, former, note: null };
}

/**
 * Processes the `Limited` event of the payment just before it. The available balance's opening, and with it the amount,
 * are derived from the former opening, whatever the signer wrote into the copies.
 */
export function foldLimited(history: AccountHistory, args: LedgerEvent<"Limited">["args"]): void {
  const { asset, newAvailable, terms, encryptedAmount } = args;
  const holding = assetIn(history, asset);
  const { unfinished } = holding;
  if (unfinished?.by !== "Limited" || holding.commitment !== newAvailable) return;
  const { entry, former, note } = unfinished;
  let followed: FollowedPayment | null = null;
  if (former && note !== null) followed = followLimited(former, { newAvailable, terms, note, encryptedAmount });
  else if (former && entry.amount !== null)
    followed = followLimited(former, { newAvailable, terms, amount: entry.amount });
  setAvailable(holding, newAvailable, followed?.available ?? null, holding.atMost);
  if (followed) entry.amount = followed.amount;
}

/** Processes an incoming note, from a single payment or a batch. */
export async function foldReceived(
  reader: Reader,
  history: AccountHistory,
  at: EventPosition,
  args: LedgerEvent<"Paid">["args"],
): Promise<void> {
  const { asset, note, account: counterparty } = args;
  const copy = fromHex(args.recipientCiphertext);
  const opened = await decryptRecipientCopy(reader.viewingSecret, refOf(reader, asset, note), copy);
  const opening = opened && { amount: opened.amount, salt: opened.salt };
  assetIn(history, asset).notes.set(note, { note, opening, spent: false, receivedAt: at });
  history.entries.push({
    ...at,
    type: "received",
    asset,
    counterparty,
    commitment: note,
    amount: opened?.amount ?? null,
    ...(opened && { noteSalt: opened.salt }),
    ...(opened && !equalBytes(opened.binding, NO_BINDING) && { binding: opened.binding }),
  });
}
