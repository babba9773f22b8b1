import { createHash, randomBytes } from "node:crypto";
import type { Address } from "viem";
import { sql } from "@/db/client";

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3600;

const MAX_USER_AGENT = 300;

/** Starts a wallet's session. The token is random and only its SHA-256 is stored: no server secret can make one. */
export async function createSession(address: Address, userAgent: string | undefined): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await sql()`
    insert into sessions (token_hash, address, user_agent, created_at, expires_at)
    values (${sessionHash(token)}, ${Buffer.from(address.slice(2), "hex")}, ${userAgent?.slice(0, MAX_USER_AGENT) ?? null},
      now(), now() + make_interval(secs => ${SESSION_SECONDS}))`;
  return token;
}

/** What is stored of a session's token. */
export function sessionHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
