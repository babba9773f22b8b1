import { concat, fromUtf8, utf8 } from "../crypto/bytes";
import { DecryptionFailed } from "../crypto/errors";

const LENGTH_BYTES = 2;

/** Returns the length of a padded text in bytes. */
export const paddedLength = (most: number) => LENGTH_BYTES + most;

/**
 * Pads a text: length (2 bytes, big endian), UTF-8, zeros. All texts that are padded to the same number of bytes have
 * the same length.
 *
 * @throws RangeError for a text of more than `most` bytes, or with a lone surrogate, which UTF-8 can't express
 */
export function padText(text: string, most: number): Uint8Array {
  const bytes = utf8(text);
  if (bytes.length > most || fromUtf8(bytes) !== text) throw new RangeError(`the text has at most ${most} bytes`);
  return concat(Uint8Array.of(bytes.length >> 8, bytes.length), bytes, new Uint8Array(most - bytes.length));
}

/**
 * Removes the padding of `padText`.
 *
 * @throws DecryptionFailed for anything else
 */
export function unpadText(padded: Uint8Array, what: string): string {
  const [high = 0, low = 0] = padded;
  const end = LENGTH_BYTES + high * 256 + low;
  if (end > padded.length) throw new DecryptionFailed(what);
  try {
    return fromUtf8(padded.subarray(LENGTH_BYTES, end));
  } catch {
    throw new DecryptionFailed(what);
  }
}
