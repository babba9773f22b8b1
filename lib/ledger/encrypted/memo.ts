import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes } from "../crypto/bytes";
import { DecryptionFailed, InvalidMemo } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import { decryptFrom, encryptTo, HPKE_OVERHEAD } from "../crypto/hpke";
import type { CommitmentRef, Scope } from "../crypto/scope";
import { copyInfo } from "./copy-info";
import { paddedLength, padText, unpadText } from "./padded-text";

const MEMO_BYTES = 512;
/** Length of a padded memo in bytes. */
export const PADDED_MEMO_LENGTH = paddedLength(MEMO_BYTES);
/** Length of every symmetrically encrypted memo in bytes. */
export const ENCRYPTED_MEMO_LENGTH = PADDED_MEMO_LENGTH + AEAD_OVERHEAD;
/** Length of a public payment's memo encrypted for its recipient, in bytes. */
export const RECIPIENT_MEMO_LENGTH = PADDED_MEMO_LENGTH + HPKE_OVERHEAD;

/**
 * Pads a memo, so that all have the same length.
 *
 * @throws InvalidMemo unless it is well-formed text of at most 512 bytes of UTF-8
 */
export function padMemo(text: string): Uint8Array {
  try {
    return padText(text, MEMO_BYTES);
  } catch {
    throw new InvalidMemo();
  }
}

/**
 * Removes the padding of `padMemo`.
 *
 * @throws DecryptionFailed for anything else
 */
export function unpadMemo(padded: Uint8Array): string {
  if (padded.length !== PADDED_MEMO_LENGTH) throw new DecryptionFailed("memo");
  return unpadText(padded, "memo");
}

function memoKey(secret: Uint8Array, scope: Scope): Uint8Array {
  return hkdf(secret, "memo", scope);
}

/** Encrypts the memo of a transfer under its note's salt, which payer and recipient both know. The aad is the note. */
export function encryptNoteMemo(scope: Scope, note: bigint, noteSalt: bigint, text: string): Uint8Array {
  return encrypt(memoKey(bigintToBytes(noteSalt, 32), scope), bigintToBytes(note, 32), padMemo(text));
}

/**
 * Decrypts the memo of a transfer.
 *
 * @throws DecryptionFailed
 */
export function decryptNoteMemo(scope: Scope, note: bigint, noteSalt: bigint, encrypted: Uint8Array): string {
  return unpadMemo(decrypt(memoKey(bigintToBytes(noteSalt, 32), scope), bigintToBytes(note, 32), encrypted, "memo"));
}

/**
 * Encrypts the memo of a `release` or `fund` for its payer, under the seed of the payer's copy. The aad is the new
 * available balance commitment.
 */
export function encryptPayerMemo(scope: Scope, newAvailable: bigint, seed: Uint8Array, text: string): Uint8Array {
  return encrypt(memoKey(seed, scope), bigintToBytes(newAvailable, 32), padMemo(text));
}

/**
 * Decrypts the memo of a `release` or `fund` for its payer.
 *
 * @throws DecryptionFailed
 */
export function decryptPayerMemo(scope: Scope, newAvailable: bigint, seed: Uint8Array, encrypted: Uint8Array): string {
  return unpadMemo(decrypt(memoKey(seed, scope), bigintToBytes(newAvailable, 32), encrypted, "memo"));
}

/**
 * Encrypts the memo of a `release` for an enrolled recipient.
 *
 * @param ref `ref.account` is the recipient, `ref.commitment` the payer's new available balance commitment
 * @throws UnusableViewingKey
 */
export function encryptRecipientMemo(viewingKey: Uint8Array, ref: CommitmentRef, text: string): Promise<Uint8Array> {
  return encryptTo(viewingKey, copyInfo("memo", ref), padMemo(text));
}

/**
 * Decrypts the memo of a `release` for its recipient.
 *
 * @throws DecryptionFailed
 */
export async function decryptRecipientMemo(
  viewingSecret: Uint8Array,
  ref: CommitmentRef,
  encrypted: Uint8Array,
): Promise<string> {
  return unpadMemo(await decryptFrom(viewingSecret, copyInfo("memo", ref), encrypted));
}
