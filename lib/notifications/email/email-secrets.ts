import { createHash, createHmac, randomBytes } from "node:crypto";
import type { Hex } from "viem";
import { env } from "@/lib/env";
import { equalBytes, fromHex, toHex } from "@/lib/ledger/crypto/bytes";
import { openSecret, sealSecret } from "@/lib/webhooks/secrets";

/** What is sealed of an address: itself, and the tokens of the links in its messages. */
export interface EmailSecrets {
  address: string;
  /** Confirms the address; null once it has. */
  confirm: string | null;
  /** Ends the messages, and nothing else. */
  unsubscribe: string;
}

/** Encrypts under `SECRETS_KEY`, bound to the id of the address. */
export const sealEmail = (id: string, secrets: EmailSecrets): Hex => sealSecret(id, JSON.stringify(secrets));

/**
 * Decrypts what `sealEmail` made.
 *
 * @throws UnsealFailed under another key, or of another address
 */
export const openEmail = (id: string, sealed: Hex): EmailSecrets => JSON.parse(openSecret(id, sealed)) as EmailSecrets;

/** A fresh token of an address: its id, by which it is found, and 32 random bytes, which are compared. */
export const newToken = (id: string): string => `${id}.${randomBytes(32).toString("base64url")}`;

/** The id in front of a token; of a text that is none, the text. */
export const idOfToken = (token: string): string => token.split(".", 1)[0] ?? "";

/** What is stored of a token to recognise it: its SHA-256. */
export const hashOfToken = (token: string): Hex => toHex(createHash("sha256").update(token).digest());

/** Whether a token is the one with this hash; takes the same time wherever they differ. */
export function isToken(token: string, hash: Hex | null): boolean {
  return hash !== null && equalBytes(fromHex(hashOfToken(token)), fromHex(hash));
}

/**
 * The name of an address's own bucket: a keyed hash, so that the table of limits shows no addresses. What people put
 * behind a plus sign leads to the same inbox, and so does another case.
 */
export function addressBucket(purpose: string, address: string): string {
  const at = address.lastIndexOf("@");
  const inbox = `${address.slice(0, at).split("+", 1)[0]}@${address.slice(at + 1)}`.toLowerCase();
  const mac = createHmac("sha256", env().secretsKey).update(`halcyon/1/mail/${purpose}/${inbox}`).digest();
  return `mail-${purpose}:${mac.subarray(0, 16).toString("base64url")}`;
}
