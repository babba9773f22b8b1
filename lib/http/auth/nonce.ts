import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { sql } from "@/db/client";
import { acceptedPeppers, env } from "@/lib/base/env";

const RANDOM_LENGTH = 32;

/**
 * Creates a nonce for one Sign-In With Ethereum message (ERC-4361: at least 8 alphanumerics), valid for 10 minutes.
 *
 * @param browser the caller's secret (lib/http/auth/browser-cookie.ts). It binds the nonce to the browser, so that a stolen
 *   message signs no one in
 */
export async function createNonce(browser: string): Promise<string> {
  const random = randomBytes(RANDOM_LENGTH / 2).toString("hex");
  const nonce = random + tagOf(env().serverPepper, random, browser);
  await sql()`
    insert into siwe_nonces (nonce, expires_at) values (${nonce}, now() + interval '10 minutes')`;
  return nonce;
}

/**
 * Uses a nonce up. Returns false if it is unknown, expired or used, or another browser asked for it. Of several
 * concurrent calls, on any servers, exactly one returns true.
 */
export async function consumeNonce(nonce: string, browser: string | undefined): Promise<boolean> {
  if (browser === undefined || !/^[0-9a-f]{64}$/.test(nonce)) return false;
  const [random, given] = [nonce.slice(0, RANDOM_LENGTH), Buffer.from(nonce.slice(RANDOM_LENGTH))];
  const tags = acceptedPeppers().map((pepper) => Buffer.from(tagOf(pepper, random, browser)));
  if (!tags.some((tag) => timingSafeEqual(tag, given))) return false;
  const rows = await sql()`delete from siwe_nonces where nonce = ${nonce} and expires_at > now() returning nonce`;
  return rows.length === 1;
}

function tagOf(pepper: Uint8Array, random: string, browser: string): string {
  const mac = createHmac("sha256", pepper).update(`halcyon/1/siwe-nonce/${random}/${browser}`).digest("hex");
  return mac.slice(0, RANDOM_LENGTH);
}
