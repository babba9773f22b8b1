import type { Hex } from "viem";
import { toHex } from "../crypto/bytes";
import { paymentIdOf } from "../crypto/payment-id-of";
import { encryptPayerMemo, encryptRecipientMemo } from "../encrypted/memo";
import type { PublicPaymentRequest } from "./payment-request";

/** The fields of a public payment in the document: amount, id and memos. */
interface PublicParts {
  amount: string;
  payment_id: Hex;
  memo_ciphertext?: Hex;
  recipient_memo_ciphertext?: Hex;
}

/**
 * Returns the document's fields for a public payment.
 *
 * @throws UnusableViewingKey, InvalidMemo
 */
export async function publicParts(
  seed: Uint8Array,
  request: PublicPaymentRequest,
  newAvailable: bigint,
): Promise<PublicParts> {
  const { scope, asset, amount, to, memo, recipientViewingKey } = request;
  const parts = { amount: amount.toString(), payment_id: paymentIdOf(seed, scope) };
  if (memo === undefined) return parts;
  const ref = { scope, account: to, asset, commitment: newAvailable };
  return {
    ...parts,
    memo_ciphertext: toHex(encryptPayerMemo(scope, newAvailable, seed, memo)),
    ...(recipientViewingKey && {
      recipient_memo_ciphertext: toHex(await encryptRecipientMemo(recipientViewingKey, ref, memo)),
    }),
  };
}
