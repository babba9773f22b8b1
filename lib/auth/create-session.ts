import { createHash, randomBytes } from "node:crypto";
import type { Address } from "viem";
import { db } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import { auditSession } from "@/lib/auth/audit-session";

/** How long a session lasts, in seconds. */
export const SESSION_SECONDS = 12 * 3600;

const MAX_USER_AGENT = 300;

/** Where a sign-in came from, for its owner to recognise it. */
export interface SignInOrigin {
  userAgent: string | null;
  clientAddress: string | null;
}

/** Starts a wallet's session. The token is random and only its SHA-256 is stored: no server secret can make one. */
export async function createSession(address: Address, origin: SignInOrigin, now = new Date()): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const id = sessionHash(token).toString("hex");
  await db().transaction(async (tx) => {
    await tx.insert(sessions).values({
      tokenHash: `0x${id}`,
      address,
      userAgent: origin.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
      clientAddress: origin.clientAddress,
      createdAt: now,
      expiresAt: new Date(now.getTime() + SESSION_SECONDS * 1000),
    });
    const actor = { sessionId: id, clientAddress: origin.clientAddress };
    await auditSession(tx, { address, actor, action: "session.created", target: id }, now);
  });
  return token;
}

/** What is stored of a session's token. */
export function sessionHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
