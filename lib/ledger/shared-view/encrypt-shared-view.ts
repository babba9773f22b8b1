import { AEAD_OVERHEAD, decrypt, encrypt } from "../crypto/aead";
import { bigintToBytes, bytesToBigint, concat, randomBytes, utf8 } from "../crypto/bytes";
import { DecryptionFailed, InvalidSharedView } from "../crypto/errors";
import { decodeSharedView, encodeSharedView, type SharedView } from "./shared-view-document";

/** The maximum size of an encrypted view, in bytes. */
export const MAX_ENCRYPTED_SHARED_VIEW = 1_400_000;
/** Views are padded to a multiple of this many bytes, so that their length reveals little about their texts. */
const STEP = 4_096;
/** The maximum size of a decompressed view, so that a few bytes can't fill the memory of those who open it. */
const MAX_PLAIN = 8_000_000;
const KEY_LENGTH = 32;
const KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;

/** What the ciphertext is bound to, so that a service can't pass it off as another ledger's, or as valid for longer. */
interface SharedViewPlace {
  chainId: number;
  ledger: string;
  /** Unix seconds. */
  expiresAt: number;
}

const aadOf = ({ chainId, ledger, expiresAt }: SharedViewPlace) =>
  utf8(`halcyon/1/shared-view/${chainId}/${ledger.toLowerCase()}/${expiresAt}`);

async function through(bytes: Uint8Array, transform: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const source = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(transform);
  for (const reader = source.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return concat(...parts);
    length += value.length;
    if (length > MAX_PLAIN) {
      await reader.cancel();
      throw new InvalidSharedView();
    }
    parts.push(value);
  }
}

/**
 * Encrypts a view under a new key, which decrypts only this view.
 *
 * @returns the ciphertext for the service, and the key in the form of a link's fragment
 * @throws InvalidSharedView if the view is too large
 */
export async function encryptSharedView(view: SharedView): Promise<{ encrypted: Uint8Array; key: string }> {
  const compressed = await through(encodeSharedView(view), new CompressionStream("deflate-raw"));
  const length = Math.ceil((4 + compressed.length) / STEP) * STEP;
  const padded = concat(bigintToBytes(BigInt(compressed.length), 4), compressed);
  const text = concat(padded, new Uint8Array(length - padded.length));
  if (text.length + AEAD_OVERHEAD > MAX_ENCRYPTED_SHARED_VIEW) {
    throw new InvalidSharedView("This view is too large. Choose a shorter period, or leave out memos.");
  }
  const key = randomBytes(KEY_LENGTH);
  const base64 = btoa(String.fromCharCode(...key));
  return {
    encrypted: encrypt(key, aadOf(view), text),
    key: base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
  };
}

/**
 * Decrypts a view.
 *
 * @throws InvalidSharedView if the key is malformed; DecryptionFailed if key, place or ciphertext are another view's
 */
export async function decryptSharedView(
  encrypted: Uint8Array,
  key: string,
  place: SharedViewPlace,
): Promise<SharedView> {
  if (!KEY_TEXT.test(key)) throw new InvalidSharedView();
  const secret = Uint8Array.from(atob(key.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const text = decrypt(secret, aadOf(place), encrypted, "view");
  const length = Number(bytesToBigint(text.subarray(0, 4)));
  if (4 + length > text.length) throw new DecryptionFailed("view");
  let bytes: Uint8Array;
  try {
    bytes = await through(text.subarray(4, 4 + length), new DecompressionStream("deflate-raw"));
  } catch {
    throw new InvalidSharedView();
  }
  const view = decodeSharedView(bytes);
  const isHere = view.chainId === place.chainId && view.ledger === place.ledger.toLowerCase();
  if (!isHere || view.expiresAt !== place.expiresAt) throw new InvalidSharedView();
  return view;
}
