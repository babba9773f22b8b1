import { createCipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";

/** What a browser gave to encrypt for it (RFC 8291, section 2). */
export interface PushKeys {
  /** Its P-256 public key, 65 bytes. */
  p256dh: Uint8Array;
  /** Its authentication secret, 16 bytes. */
  auth: Uint8Array;
}

const RECORD_SIZE = 4_096;
/** A record that is the last one ends so (RFC 8188, section 2). */
const LAST = 2;

const hkdf = (key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number) =>
  Buffer.from(hkdfSync("sha256", key, salt, info, length));

/**
 * Encrypts a message for one browser: the body of a push request (RFC 8291; content coding `aes128gcm`, RFC 8188). The push
 * service can't read it.
 *
 * @param fresh the sender's key and the salt, which are random; a test vector has its own
 * @throws Error for a public key that is not on the curve, and a text that is too long for one record
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
  const sealed = Buffer.concat([
    cipher.update(plain),
    cipher.update(Buffer.of(LAST)),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
  const size = Buffer.alloc(4);
  size.writeUInt32BE(RECORD_SIZE);
  return Buffer.concat([salt, size, Buffer.of(own.length), own, sealed]);
}
