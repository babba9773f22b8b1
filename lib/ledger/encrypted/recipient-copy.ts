import { sha256 } from "@noble/hashes/sha2.js";
import { bigintToBytes, concat, equalBytes, toHex } from "../crypto/bytes";
import { type NoteOpening, noteCommitment } from "../crypto/commitments";
import { hkdf } from "../crypto/hkdf";
import { decryptFrom, encryptTo, HPKE_OVERHEAD } from "../crypto/hpke";
import type { CommitmentRef } from "../crypto/scope";
import { copyInfo } from "./copy-info";
import { FixedFields } from "./fixed-fields";

/** Length of a binding in bytes. */
export const BINDING_LENGTH = 32;
/** Length of an encrypted recipient copy in bytes: amount (8), note salt (32) and binding (32). */
export const RECIPIENT_COPY_LENGTH = 40 + BINDING_LENGTH + HPKE_OVERHEAD;

/** The binding of a payment that belongs to no request, invoice or challenge. */
export const NO_BINDING = new Uint8Array(BINDING_LENGTH);

/** A note as its recipient reads it. `binding`, 32 bytes, says what the payment is for; all zeros mean nothing. */
interface ReceivedNote extends NoteOpening {
  binding: Uint8Array;
}

/**
 * Encrypts a note's opening and binding for its recipient. The same input gives the same copy: the ephemeral key is
 * derived from the seed and everything that is encrypted. So the payer, who has the seed, sees what a payment on chain
 * is bound to (`isBoundTo`).
 *
 * @param seed of the payment
 * @param ref `ref.account` is the recipient, `ref.commitment` the note
 * @throws UnusableViewingKey
 */
export async function encryptRecipientCopy(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  note: NoteOpening & { binding?: Uint8Array },
  seed: Uint8Array,
): Promise<Uint8Array> {
  const binding = note.binding ?? NO_BINDING;
  if (binding.length !== BINDING_LENGTH) throw new RangeError("a binding has 32 bytes");
  const info = copyInfo("recipient", ref);
  const plain = concat(bigintToBytes(note.amount, 8), bigintToBytes(note.salt, 32), binding);
  const extra = toHex(sha256(concat(viewingKey, info, plain)));
  return encryptTo(viewingKey, info, plain, hkdf(seed, "recipient copy", ref.scope, { extra }));
}

/**
 * Reports whether a payment's copy for its recipient is the one that its payer's software makes for this binding.
 *
 * @param seed from the payer's own copy
 * @throws UnusableViewingKey
 */
export async function isBoundTo(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  note: NoteOpening & { binding: Uint8Array },
  seed: Uint8Array,
  encrypted: Uint8Array,
): Promise<boolean> {
  return equalBytes(await encryptRecipientCopy(viewingKey, ref, note, seed), encrypted);
}

/** Decrypts a note; returns null if that fails or the content doesn't match the commitment in `ref`. */
export async function decryptRecipientCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  encrypted: Uint8Array,
): Promise<ReceivedNote | null> {
  try {
    const fields = new FixedFields(await decryptFrom(viewingSecret, copyInfo("recipient", ref), encrypted));
    const note = { amount: fields.integer(8), salt: fields.integer(32), binding: fields.bytes(BINDING_LENGTH) };
    fields.end();
    return noteCommitment(note) === ref.commitment ? note : null;
  } catch {
    return null;
  }
}
