import { Chacha20Poly1305 } from "@hpke/chacha20poly1305";
import { CipherSuite, DhkemX25519HkdfSha256, HkdfSha256 } from "@hpke/core";
import { x25519 } from "@noble/curves/ed25519.js";
import { expand, extract } from "@noble/hashes/hkdf.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToBigint, concat, utf8 } from "./bytes";
import { DecryptionFailed, UnusableViewingKey } from "./errors";

const ENC_LENGTH = 32;
/** Bytes that HPKE adds to the plaintext: the encapsulated key and the tag. */
export const HPKE_OVERHEAD = ENC_LENGTH + 16;

/**
 * Copies bytes into a buffer of their own. A Node Buffer's `slice` is a view whose `buffer` also contains foreign
 * bytes.
 */
const own = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer;

type Bytes = ArrayBufferLike | ArrayBufferView;
const read = (bytes: Bytes) =>
  ArrayBuffer.isView(bytes) ? new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength) : new Uint8Array(bytes);

/**
 * Computes HKDF-SHA256 in this thread. One encryption derives nine short texts. The platform's implementation schedules
 * two tasks on other threads for each of them, which takes longer than the hashing, especially on a busy machine.
 */
class Hkdf extends HkdfSha256 {
  override async extract(salt: Bytes, ikm: Bytes): Promise<ArrayBuffer> {
    return own(extract(sha256, read(ikm), read(salt)));
  }

  override async expand(prk: Bytes, info: Bytes, length: number): Promise<ArrayBuffer> {
    return own(expand(sha256, read(prk), read(info), length));
  }

  override async extractAndExpand(salt: Bytes, ikm: Bytes, info: Bytes, length: number): Promise<ArrayBuffer> {
    return own(expand(sha256, extract(sha256, read(ikm), read(salt)), read(info), length));
  }
}

/** Uses the platform's X25519. */
class Kem extends DhkemX25519HkdfSha256 {
  constructor() {
    super();
    this._kdf = new Hkdf();
    // RFC 9180, section 4.1.
    this._kdf.init(concat(utf8("KEM"), Uint8Array.of(0, this.id)));
  }
}

const suite = new CipherSuite({ kem: new Kem(), kdf: new Hkdf(), aead: new Chacha20Poly1305() });

const X25519_PRIME = 2n ** 255n - 19n;
const PROBE = new Uint8Array(32).fill(7);

/**
 * Reports whether an X25519 public key is safe to use with HPKE. Refused are low-order points, whose shared secret is
 * zero for everyone (RFC 7748 section 6.1), and encodings at or above the prime, which no key derivation produces.
 */
export function isUsableViewingKey(publicKey: Uint8Array): boolean {
  if (!isReduced(publicKey)) return false;
  try {
    // Clamped scalars are multiples of the cofactor, so a low-order point gives zero either for all of them or for
    // none.
    return x25519.getSharedSecret(PROBE, publicKey).some((byte) => byte !== 0);
  } catch {
    return false;
  }
}

const isReduced = (publicKey: Uint8Array): boolean =>
  publicKey.length === 32 && bytesToBigint(publicKey.toReversed()) < X25519_PRIME;

/**
 * Creates a sender context. The platform's X25519 refuses a shared secret of zero (Web Cryptography, section 32), which
 * catches low-order keys.
 */
async function senderFor(publicKey: Uint8Array, info: Uint8Array, ephemeral?: Uint8Array) {
  if (!isReduced(publicKey)) throw new UnusableViewingKey();
  const recipientPublicKey = await suite.kem.deserializePublicKey(own(publicKey));
  const ekm = ephemeral && { ekm: own(ephemeral) };
  return suite.createSenderContext({ recipientPublicKey, info: own(info), ...ekm }).catch(() => {
    throw new UnusableViewingKey();
  });
}

/**
 * Encrypts with HPKE (RFC 9180): base mode, DHKEM(X25519, HKDF-SHA256), HKDF-SHA256, ChaCha20-Poly1305, no aad.
 *
 * @param publicKey X25519, 32 bytes
 * @param ephemeral 32 secret bytes, used for this key, info and plaintext only, from which `DeriveKeyPair` (section
 *   7.1.3) makes the ephemeral key. Default: a random key.
 * @returns enc (32 bytes) || ciphertext
 * @throws UnusableViewingKey
 */
export async function encryptTo(
  publicKey: Uint8Array,
  info: Uint8Array,
  plaintext: Uint8Array,
  ephemeral?: Uint8Array,
): Promise<Uint8Array> {
  const sender = await senderFor(publicKey, info, ephemeral);
  const ciphertext = await sender.seal(own(plaintext));
  return concat(new Uint8Array(sender.enc), new Uint8Array(ciphertext));
}

/**
 * Private keys as the platform has them, by the array that holds the secret, and no longer than it. Importing one takes
 * Node twice as long as the rest of decrypting, and a history is decrypted with the same one. An array may be
 * overwritten, so a key is found by the secret's hash too.
 */
const imported = new WeakMap<Uint8Array, [hash: bigint, key: Promise<CryptoKey>]>();

function privateKeyOf(secret: Uint8Array): Promise<CryptoKey> {
  const hash = bytesToBigint(sha256(secret));
  const known = imported.get(secret);
  if (known?.[0] === hash) return known[1];
  const key = suite.kem.deserializePrivateKey(own(secret));
  imported.set(secret, [hash, key]);
  return key;
}

/**
 * Decrypts the output of `encryptTo` with the secret half of its public key.
 *
 * @throws DecryptionFailed if key, info or ciphertext differ
 */
export async function decryptFrom(secret: Uint8Array, info: Uint8Array, encrypted: Uint8Array): Promise<Uint8Array> {
  if (encrypted.length < HPKE_OVERHEAD) throw new DecryptionFailed("ciphertext");
  try {
    const recipientKey = await privateKeyOf(secret);
    const enc = own(encrypted.subarray(0, ENC_LENGTH));
    const recipient = await suite.createRecipientContext({ recipientKey, enc, info: own(info) });
    return new Uint8Array(await recipient.open(own(encrypted.subarray(ENC_LENGTH))));
  } catch {
    throw new DecryptionFailed("ciphertext");
  }
}
