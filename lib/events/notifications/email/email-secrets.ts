import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { env } from "@/lib/base/env";
import { decryptSecret, encryptSecret } from "@/lib/events/webhooks/secrets";
import { equalBytes, fromHex, toHex } from "@/lib/ledger/crypto/bytes";

/** What is stored encrypted about an address: the address itself and the tokens of the links in its messages. */
interface EmailSecrets {
  address: string;
  /** Confirms the address; null once it is confirmed. */
  confirm: string | null;
  /** Unsubscribes the address, and can do nothing else. */
  unsubscribe: string;
}

/** Encrypts under `SECRETS_KEY`, bound to the id of the address. */
export const encryptEmail = (id: string, secrets: EmailSecrets): Hex => encryptSecret(id, JSON.stringify(secrets));

/**
 * Decrypts a value that `encryptEmail` encrypted.
 *
 * @throws DecryptionFailed if it was encrypted under another key or for another address
 */
export const decryptEmail = (id: string, encrypted: Hex): EmailSecrets =>
  JSON.parse(decryptSecret(id, encrypted)) as EmailSecrets;

/** Creates a token for an address: the address's id, which finds the row, and 32 random bytes, which are compared. */
export const newToken = (id: string): string => `${id}.${randomBytes(32).toString("base64url")}`;

/** Returns the id at the front of a token, or the whole text if it is not a token. */
export const idOfToken = (token: string): string => token.split(".", 1)[0] ?? "";

/** Returns a token's SHA-256, which is stored in its place. */
export const hashOfToken = (token: string): Hex => toHex(createHash("sha256").update(token).digest());

/** Reports whether a token has this hash. Compares in constant time. */
export function isToken(token: string, hash: Hex | null): boolean {
  return hash !== null && equalBytes(fromHex(hashOfToken(token)), fromHex(hash));
}

/**
 * Returns one spelling of an address. Letter case, dots and anything after a plus sign are left out, because such
 * addresses can lead to the same inbox.
 */
export function inboxOf(address: string): string {
  const at = address.lastIndexOf("@");
  const name = address.slice(0, at).split("+", 1)[0]?.replaceAll(".", "");
  return `${name}@${address.slice(at + 1)}`.toLowerCase();
}

/**
 * Returns the name of an inbox's rate-limit bucket: a keyed hash, so that the table of limits reveals no address.
 */
export function emailBucket(purpose: string, address: string): string {
  const text = `halcyon/1/mail/${purpose}/${inboxOf(address)}`;
  const mac = createHmac("sha256", env().secretsKey).update(text).digest();
  return `mail-${purpose}:${mac.subarray(0, 16).toString("base64url")}`;
}
