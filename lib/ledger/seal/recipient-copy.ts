import { bigintToBytes, concat } from "../crypto/bytes";
import { type NoteOpening, noteCommitment } from "../crypto/commitments";
import { HPKE_OVERHEAD, openFrom, sealTo } from "../crypto/hpke";
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
export interface ReceivedNote extends NoteOpening {
  binding: Uint8Array;
}

/**
 * Encrypts a note's opening and binding for its recipient.
 *
 * @param ref `ref.account` is the recipient, `ref.commitment` the note
 * @throws UnusableViewingKey
 */
export async function sealRecipientCopy(
  viewingKey: Uint8Array,
  ref: CommitmentRef,
  note: NoteOpening & { binding?: Uint8Array },
): Promise<Uint8Array> {
  const binding = note.binding ?? NO_BINDING;
  if (binding.length !== BINDING_LENGTH) throw new RangeError("a binding has 32 bytes");
  const plain = concat(bigintToBytes(note.amount, 8), bigintToBytes(note.salt, 32), binding);
  return sealTo(viewingKey, copyInfo("recipient", ref), plain);
}

/** Decrypts a note; returns null if that fails or the content doesn't match the word in `ref`. */
export async function openRecipientCopy(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  sealed: Uint8Array,
): Promise<ReceivedNote | null> {
  try {
    const fields = new FixedFields(await openFrom(viewingSecret, copyInfo("recipient", ref), sealed));
    const note = { amount: fields.integer(8), salt: fields.integer(32), binding: fields.bytes(BINDING_LENGTH) };
    fields.end();
    return noteCommitment(note) === ref.commitment ? note : null;
  } catch {
    return null;
  }
}
