import { createHash, randomBytes } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import { env } from "@/lib/base/env";
import type { ChainId } from "@/lib/base/network";
import { auditSession } from "@/lib/http/auth/audit-session";

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3600;

/**
 * How much longer than the session the browser keeps the cookie, in seconds. During this time, requests with the cookie
 * learn that the session has expired.
 */
export const COOKIE_KEPT_SECONDS = 24 * 3600;

const MAX_USER_AGENT = 300;

/** Where a sign-in came from, so that the owner can recognize it. */
interface SignInOrigin {
  userAgent: string | null;
  clientAddress: string | null;
  /** For a contract wallet: the network of the contract that signed. */
  onlyOn?: ChainId | null;
}

/**
 * Starts a wallet's session and returns its token. The token is random and only its SHA-256 is stored, so no server
 * secret can forge one. At the maximum number of sessions the oldest one ends; refusing a new one would lock out the
 * person who could end one.
 */
export async function createSession(address: Address, origin: SignInOrigin, now = new Date()): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const id = sessionHash(token).toString("hex");
  await db().transaction(async (tx) => {
    await tx.insert(sessions).values({
      tokenHash: `0x${id}`,
      address,
      chainId: origin.onlyOn ?? null,
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      clientAddress: origin.clientAddress,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
    });
    const actor = { sessionId: id, clientAddress: origin.clientAddress };
    for (const ended of await endOldest(tx, address, origin.onlyOn ?? null, now)) {
      await auditSession(tx, { address, actor, action: "session.revoked", target: ended }, now);
    }
    await auditSession(tx, { address, actor, action: "session.created", target: id }, now);
  });
  return token;
}

/** Ends the wallet's oldest sessions beyond the maximum, and returns their ids. */
async function endOldest(tx: Tx, address: Address, onlyOn: ChainId | null, now: Date): Promise<string[]> {
  const rows = await tx.execute<{ id: string }>(sql`
    update sessions set revoked_at = ${now.toISOString()} where token_hash in (
      select token_hash from sessions
      where address = ${Buffer.from(address.slice(2), "hex")} and revoked_at is null and expires_at > ${now.toISOString()}
        and chain_id is not distinct from ${onlyOn}::int
      order by created_at desc, token_hash offset ${env().accountCaps.sessions}
    ) returning encode(token_hash, 'hex') as id`);
  return rows.map(({ id }) => id);
}

/** Returns the hash that is stored of a session's token. */
export function sessionHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
