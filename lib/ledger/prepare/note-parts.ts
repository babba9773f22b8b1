import type { Address, Hex } from "viem";
import { toHex } from "../crypto/bytes";
import { type NoteOpening, noteCommitment } from "../crypto/commitments";
import { commitmentToHex } from "../crypto/field";
import { noteSaltOf } from "../crypto/payment-seed";
import type { Scope } from "../crypto/scope";
import { encryptNoteMemo } from "../encrypted/memo";
import { encryptRecipientCopy } from "../encrypted/recipient-copy";

/** The note of a payment, and its fields in the document. */
export interface NoteParts {
  opening: NoteOpening;
  commitment: bigint;
  document: { note: Hex; recipient_ciphertext: Hex; memo_ciphertext?: Hex };
}

/**
 * Returns the note of a payment. It depends only on seed, recipient, asset and amount, so a retry has the same note.
 */
export function noteOf(seed: Uint8Array, scope: Scope, to: Address, asset: Address, amount: bigint) {
  const opening = { amount, salt: noteSaltOf(seed, { scope, account: to, asset }, amount) };
  return { opening, commitment: noteCommitment(opening) };
}

/**
 * Returns the note of a payment, its copy for the recipient, and its memo.
 *
 * @throws UnusableViewingKey, InvalidMemo
 */
export async function noteParts(
  seed: Uint8Array,
  request: {
    scope: Scope;
    to: Address;
    asset: Address;
    amount: bigint;
    recipientViewingKey: Uint8Array;
    binding?: Uint8Array;
    memo?: string;
  },
): Promise<NoteParts> {
  const { scope, to, asset, amount, binding, memo } = request;
  const { opening, commitment } = noteOf(seed, scope, to, asset, amount);
  const ref = { scope, account: to, asset, commitment: commitment };
  const bound = { ...opening, ...(binding && { binding }) };
  const copy = await encryptRecipientCopy(request.recipientViewingKey, ref, bound, seed);
  return {
    opening,
    commitment,
    document: {
      note: commitmentToHex(commitment),
      recipient_ciphertext: toHex(copy),
      ...(memo !== undefined && { memo_ciphertext: toHex(encryptNoteMemo(scope, commitment, opening.salt, memo)) }),
    },
  };
}
