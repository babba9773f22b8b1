import { and, eq, isNull, or } from "drizzle-orm";
import { db } from "@/db/client";
import { sessions } from "@/db/schema/accounts";
import type { WalletContext } from "@/lib/base/context/wallet-context";
import { ApiError } from "@/lib/base/errors";
import { auditSession } from "@/lib/http/auth/audit-session";
import { sessionHash } from "@/lib/http/auth/create-session";

/**
 * Ends one of the wallet's sessions, with effect from the next request on every server. Safe to repeat.
 *
 * @throws ApiError `not_found`
 */
export async function revokeSession(
  ctx: Pick<WalletContext, "address" | "chainId" | "sessionId" | "clientAddress">,
  id: string,
  now = new Date(),
): Promise<{ id: string; revokedAt: Date }> {
  const refusal = new ApiError("not_found", "You have no session with this id.");
  if (!/^[0-9a-f]{64}$/.test(id)) throw refusal;
  // A contract's address may belong to someone else on the other network.
  const here = or(isNull(sessions.chainId), eq(sessions.chainId, ctx.chainId));
  const mine = and(eq(sessions.tokenHash, `0x${id}`), eq(sessions.address, ctx.address), here);
  return db().transaction(async (tx) => {
    const [revoked] = await tx
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(mine, isNull(sessions.revokedAt)))
      .returning({ address: sessions.address });
    if (!revoked) {
      const [before] = await tx.select({ revokedAt: sessions.revokedAt }).from(sessions).where(mine);
      if (before?.revokedAt) return { id, revokedAt: before.revokedAt };
      throw refusal;
    }
    await auditSession(tx, { address: ctx.address, actor: ctx, action: "session.revoked", target: id }, now);
    return { id, revokedAt: now };
  });
}

/** Ends the session of a token, for signing out. */
export async function endSession(token: string, now = new Date()): Promise<void> {
  const id = sessionHash(token).toString("hex");
  await db().transaction(async (tx) => {
    const [ended] = await tx
      .update(sessions)
      .set({ revokedAt: now })
      .where(and(eq(sessions.tokenHash, `0x${id}`), isNull(sessions.revokedAt)))
      .returning({ address: sessions.address });
    // next-auth does not pass the request to its sign-out event, so the address is unknown.
    const actor = { sessionId: id, clientAddress: null };
    if (ended) await auditSession(tx, { address: ended.address, actor, action: "session.revoked", target: id }, now);
  });
}
