import { createHash, randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { env } from "@/lib/base/env";
import { decrypt, encrypt } from "@/lib/ledger/crypto/aead";
import { concat, equalBytes, fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";

/** How many bytes at the front of an encrypted secret identify its key. */
export const KEY_ID_LENGTH = 4;

/** The server's keys, 32 bytes each: the key that encrypts comes first, and all of them decrypt. */
type SecretsKeys = readonly [Uint8Array, ...Uint8Array[]];

const serverKeys = (): SecretsKeys => {
  const { secretsKey, secretsKeyPrevious } = env();
  return secretsKeyPrevious === undefined ? [secretsKey] : [secretsKey, secretsKeyPrevious];
};

/** Returns a new random signing secret: `whsec_` and base64 of 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Returns an id of a server key, which reveals nothing about the key. */
export function keyIdOf(key: Uint8Array): Uint8Array {
  return createHash("sha256").update("halcyon secrets key").update(key).digest().subarray(0, KEY_ID_LENGTH);
}

/** Encrypts an endpoint's secret under the server's key for `webhooks.secret`, bound to the endpoint. */
export function encryptSecret(webhookId: string, secret: string, [key] = serverKeys()): Hex {
  return toHex(concat(keyIdOf(key), encrypt(key, utf8(webhookId), utf8(secret))));
}

/**
 * Decrypts a value that `encryptSecret` encrypted, also under the previous server key.
 *
 * @throws DecryptionFailed if it was encrypted for another endpoint or under an unknown key
 */
export function decryptSecret(webhookId: string, encrypted: Hex, keys = serverKeys()): string {
  const bytes = fromHex(encrypted);
  const key = keys.find((each) => equalBytes(keyIdOf(each), bytes.subarray(0, KEY_ID_LENGTH))) ?? keys[0];
  return new TextDecoder().decode(decrypt(key, utf8(webhookId), bytes.subarray(KEY_ID_LENGTH), "a webhook's secret"));
}
