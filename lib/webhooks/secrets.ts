import { createHash, randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { env } from "@/lib/env";
import { seal, unseal } from "@/lib/ledger/aead";
import { concat, fromHex, toHex, utf8 } from "@/lib/ledger/bytes";

const KEY_ID_LENGTH = 4;

/** A fresh signing secret: `whsec_` and base64 of 32 random bytes. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString("base64")}`;

/** Tells server keys apart without telling anything of them: four bytes of a hash. */
export function keyIdOf(key: Uint8Array): Uint8Array {
  return createHash("sha256").update("halcyon secrets key").update(key).digest().subarray(0, KEY_ID_LENGTH);
}

/** Seals an endpoint's secret under the server's key for `webhooks.secret`; bound to the endpoint. */
export function sealSecret(webhookId: string, secret: string, key: Uint8Array = env().secretsKey): Hex {
  return toHex(concat(keyIdOf(key), seal(key, utf8(webhookId), utf8(secret))));
}

/**
 * Opens what `sealSecret` made, also under the server key before the last rotation.
 *
 * @throws UnsealFailed when it was sealed for another endpoint or under a key that is not set
 */
export function openSecret(webhookId: string, sealed: Hex): string {
  const bytes = fromHex(sealed);
  const { secretsKey, secretsKeyPrevious } = env();
  const wanted = toHex(bytes.subarray(0, KEY_ID_LENGTH));
  const previous = secretsKeyPrevious !== undefined && toHex(keyIdOf(secretsKeyPrevious)) === wanted;
  const key = previous ? secretsKeyPrevious : secretsKey;
  return new TextDecoder().decode(unseal(key, utf8(webhookId), bytes.subarray(KEY_ID_LENGTH), "a webhook's secret"));
}
