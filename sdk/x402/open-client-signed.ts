import { type Address, type Hex, isAddressEqual } from "viem";
import { equalBytes, fromHex } from "@/lib/ledger/crypto/bytes";
import { decryptRecipientCopy } from "@/lib/ledger/encrypted/recipient-copy";
import type { SignedTransfer } from "@/lib/ledger/prepare/documents";
import type { Viewer } from "../context/viewing/viewer";
import { type Challenge, challengeBinding } from "./challenge";
import type { Fault } from "./wire";

/** A payment for the seller to send. */
export interface DecryptedPayment {
  payer: Address;
  note: Hex;
  document: SignedTransfer;
}

/**
 * Decrypts a payment that is not sent yet with the seller's viewing key and checks what it would pay. The proof and
 * signature are about the note, which can open to only one amount.
 *
 * @param now Unix seconds
 * @returns the payment, or what is wrong
 */
export async function openClientSigned(
  viewer: Viewer,
  challenge: Challenge & { unit: bigint },
  signed: unknown,
  now: bigint,
): Promise<DecryptedPayment | Fault> {
  if (!isTransfer(signed)) return "invalid_payload";
  const document = signed;
  const { scope, payTo, asset, unit } = challenge;
  if (!isAddressEqual(document.to, payTo)) return "wrong_payee";
  if (!isAddressEqual(document.asset, asset)) return "wrong_asset";
  const place = { scope, account: payTo, asset, commitment: BigInt(document.note) };
  const opened = await decryptRecipientCopy(viewer.viewingKey.secret, place, fromHex(document.recipient_ciphertext));
  if (!opened || !equalBytes(opened.binding, challengeBinding(challenge))) return "payment_for_something_else";
  if (opened.amount * unit < challenge.amount) return "amount_too_low";
  if (challenge.expires < now) return "payment_too_late";
  return { payer: document.account, note: document.note, document };
}

const FIELDS = {
  account: /^0x[0-9a-f]{40}$/,
  to: /^0x[0-9a-f]{40}$/,
  asset: /^0x[0-9a-f]{40}$/,
  note: /^0x[0-9a-f]{64}$/,
  recipient_ciphertext: /^0x([0-9a-f]{2}){1,1024}$/,
};

/**
 * Reports whether a document has the fields that are read here. The service, which sends it, checks all of it. An
 * account under a policy pays through the service, which keeps its counters.
 */
function isTransfer(value: unknown): value is SignedTransfer {
  const document = (value ?? {}) as Record<string, unknown>;
  const fits = ([name, pattern]: [string, RegExp]) => {
    const text = document[name];
    return typeof text === "string" && pattern.test(text);
  };
  return document.kind === "transfer" && Object.entries(FIELDS).every(fits);
}
