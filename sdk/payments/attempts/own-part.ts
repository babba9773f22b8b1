import type { Address, Hex } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { type BatchCopy, decryptBatchCopy, noteOfBatch } from "@/lib/ledger/encrypted/batch-copy";
import { decryptPayerCopy, noteOfCopy, type PayerCopy } from "@/lib/ledger/encrypted/payer-copy";
import type { MoneyEvent } from "@/lib/ledger/ledger-events";
import { eventSide, paidWith } from "../../chain/own-payments";
import type { EarlierPayment } from "./earlier-attempt";
import type { PendingPayment } from "./pending-payment";

/** The parts of the account's own copy of a payment by which it can be found again. */
export type OwnCopy = Pick<PayerCopy, "seed" | "tag"> | Pick<BatchCopy, "seed" | "tags">;

/**
 * An event that took money out of the account's available balance, or made available to it, and the contents of the
 * account's own copy.
 */
export interface OwnPart {
  kind: PendingPayment["kind"];
  old_commitment: Hex;
  new_commitment: Hex;
  copy: OwnCopy;
  earlier: EarlierPayment;
}

interface Commitments {
  oldAvailable: bigint;
  newAvailable: bigint;
}

const wordsOf = ({ oldAvailable, newAvailable }: Commitments) => ({
  old_commitment: commitmentToHex(oldAvailable),
  new_commitment: commitmentToHex(newAvailable),
});

/**
 * Decrypts the account's own copy of an event. Returns null if another account made the event or the copy can't be
 * decrypted.
 */
export async function ownPart(
  scope: Scope,
  viewingSecret: Uint8Array,
  account: Address,
  event: MoneyEvent,
  events: readonly MoneyEvent[],
): Promise<OwnPart | null> {
  const place = eventSide(event, account);
  if (!place) return null;
  const { kind, commitments } = place;
  const { asset } = event.args;
  const ref = { scope, account, asset, commitment: commitments.newAvailable };
  const encrypted = fromHex(place.ciphertext);
  if (event.eventName === "BatchTransferred") {
    const copy = await decryptBatchCopy(viewingSecret, ref, encrypted);
    if (!copy) return null;
    const batch = paidWith(event, events).map((paid, index) => {
      const at = { scope, account: paid.args.to, asset, commitment: paid.args.note };
      return { paid, amount: noteOfBatch(copy, at, index)?.amount ?? null };
    });
    return { kind, ...wordsOf(commitments), copy, earlier: { event, amount: null, batch } };
  }
  const copy = await decryptPayerCopy(viewingSecret, ref, encrypted);
  if (!copy) return null;
  const amount = amountOf(scope, event, copy);
  return { kind, ...wordsOf(commitments), copy, earlier: { event, amount, batch: [] } };
}

function amountOf(scope: Scope, event: MoneyEvent, copy: PayerCopy): bigint | null {
  if (event.eventName === "Released") return event.args.amount;
  if (event.eventName !== "Transferred") return copy.amount;
  const { to: account, asset, note: commitment } = event.args;
  return noteOfCopy(copy, { scope, account, asset, commitment })?.amount ?? null;
}
