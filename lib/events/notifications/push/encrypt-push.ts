import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** The keys that a browser supplies for encrypting messages to it (RFC 8291, section 2). */
interface PushKeys {
  /** Its P-256 public key, 65 bytes. */
  p256dh: Uint8Array;
  /** Its authentication secret, 16 bytes. */
  auth: Uint8Array;
}

const RECORD_SIZE = 4_096;
/** The delimiter of the last record (RFC 8188, section 2). */
const LAST = 2;

const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync("sha256", key, salt, info, length));

/**
 * Encrypts a message for one browser, so that the push service can't read it. Returns the body of the push request (RFC
 * 8291; content coding `aes128gcm`, RFC 8188).
 *
 * @param fresh the sender's private key and the salt, random by default; tests pass those of a test vector
 * @throws Error if the public key is not on the curve, or the text is too long for one record
 */
export function encryptPush(
  text: string,
  { p256dh, auth }: PushKeys,
  fresh: { privateKey?: Uint8Array; salt?: Uint8Array } = {},
): Buffer {
  const plain = Buffer.from(text);
  if (plain.length > RECORD_SIZE - 120) throw new Error("a push message is too long");
  const ecdh = createECDH("prime256v1");
  if (fresh.privateKey) ecdh.setPrivateKey(fresh.privateKey);
  else ecdh.generateKeys();
  const own = ecdh.getPublicKey();
  const salt = fresh.salt ?? randomBytes(16);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), p256dh, own]);
  const secret = hkdf(ecdh.computeSecret(p256dh), auth, info, 32);
  const key = hkdf(secret, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = hkdf(secret, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", key, nonce);
  const encrypted = Buffer.concat([
    cipher.update(plain),
    cipher.update(Buffer.of(LAST)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([salt, size, Buffer.of(own.length), own, encrypted]);
}
