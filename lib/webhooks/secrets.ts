import { createHash, randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { env } from "@/lib/env";
import { seal, unseal } from "@/lib/ledger/crypto/aead";
import { concat, equalBytes, fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";

/** How many bytes in front of an encrypted secret identify its key. */
export const KEY_ID_LENGTH = 4;

/** The server's keys, 32 bytes each: the one that encrypts, and those that still open, itself first. */
type SecretsKeys = readonly [Uint8Array, ...Uint8Array[]];

const serverKeys = (): SecretsKeys => {
  const { secretsKey, secretsKeyPrevious } = env();
  return secretsKeyPrevious === undefined ? [secretsKey] : [secretsKey, secretsKeyPrevious];
};

/** A fresh signing secret: `whsec_` and base64 of 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Distinguishes server keys without revealing anything about them. */
export function keyIdOf(key: Uint8Array): Uint8Array {
  return createHash("sha256").update("halcyon secrets key").update(key).digest().subarray(0, KEY_ID_LENGTH);
}

/** Encrypts an endpoint's secret under the server's key for `webhooks.secret`; bound to the endpoint. */
export function sealSecret(webhookId: string, secret: string, [key] = serverKeys()): Hex {
  return toHex(concat(keyIdOf(key), seal(key, utf8(webhookId), utf8(secret))));
}

/**
 * Decrypts what `sealSecret` made, also under the server key before a rotation.
 *
 * @throws UnsealFailed when it was encrypted for another endpoint or under a key that is not given
 */
export function openSecret(webhookId: string, sealed: Hex, keys = serverKeys()): string {
  const bytes = fromHex(sealed);
  const key = keys.find((each) => equalBytes(keyIdOf(each), bytes.subarray(0, KEY_ID_LENGTH))) ?? keys[0];
  return new TextDecoder().decode(unseal(key, utf8(webhookId), bytes.subarray(KEY_ID_LENGTH), "a webhook's secret"));
}
