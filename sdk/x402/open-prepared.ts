import { type Address, type Hex, isAddressEqual } from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { PreparedPaymentSchema, type PreparedTransfer } from "@/lib/ledger/prepare/documents";
import { openRecipientCopy } from "@/lib/ledger/seal/recipient-copy";
import type { Viewer } from "../viewing/viewer";
import { type Challenge, challengeBinding } from "./challenge";
import type { Fault } from "./wire";

/** A payment that the seller has to send. */
export interface OpenedPayment {
  payer: Address;
  note: Hex;
  document: PreparedTransfer;
}

/**
 * What a payment that was not sent yet would pay, as the seller's viewing key shows it: the note is what proof and signature
 * are about, and it opens to one amount alone.
 *
 * @param now Unix seconds
 * @returns the payment, or what is wrong
 */
export async function openPrepared(
  viewer: Viewer,
  challenge: Challenge & { unit: bigint },
  prepared: unknown,
  now: bigint,
): Promise<OpenedPayment | Fault> {
  const read = PreparedPaymentSchema.safeParse(prepared);
  // An account under a policy pays through the service, which knows its counters.
  if (!read.success || read.data.kind !== "transfer") return "invalid_payload";
  const document = read.data;
  const { scope, payTo, asset, unit } = challenge;
  if (!isAddressEqual(document.to, payTo)) return "wrong_payee";
  if (!isAddressEqual(document.asset, asset)) return "wrong_asset";
  const place = { scope, account: payTo, asset, commitment: BigInt(document.note) };
  const opened = await openRecipientCopy(viewer.viewingKey.secret, place, fromHex(document.recipient_ciphertext));
  if (!opened || !equalBytes(opened.binding, challengeBinding(challenge))) return "payment_for_something_else";
  if (opened.amount * unit < challenge.amount) return "amount_too_low";
  if (challenge.expires < now) return "payment_too_late";
  return { payer: document.account, note: document.note, document };
}
