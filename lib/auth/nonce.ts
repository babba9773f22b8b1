import { randomBytes } from "node:crypto";
import { sql } from "@/db/client";

/** A fresh nonce for one Sign-In With Ethereum message (ERC-4361: at least 8 alphanumerics), good for 10 minutes. */
export async function createNonce(): Promise<string> {
  const nonce = randomBytes(16).toString("hex");
  await sql()`
    insert into siwe_nonces (nonce, expires_at) values (${nonce}, now() + interval '10 minutes')`;
  return nonce;
}

/** Uses a nonce up; false when it is unknown, expired or used. On several servers at once exactly one gets true. */
export async function consumeNonce(nonce: string): Promise<boolean> {
  const rows = await sql()`delete from siwe_nonces where nonce = ${nonce} and expires_at > now() returning nonce`;
  return rows.length === 1;
}
