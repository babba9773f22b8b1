import { sql } from "@/db/client";
import type { WalletContext } from "@/lib/auth/authenticate-session";
import { sessionHash } from "@/lib/auth/create-session";
import { ApiError } from "@/lib/errors";

/** Ends one of the wallet's sessions, from the next request on every server. @throws ApiError `not_found` */
export async function revokeSession(ctx: WalletContext, id: string): Promise<{ id: string; revokedAt: Date }> {
  const [row] = /^[0-9a-f]{64}$/.test(id)
    ? await sql()<{ revoked_at: string }[]>`
        update sessions set revoked_at = coalesce(revoked_at, now())
        where token_hash = ${Buffer.from(id, "hex")} and address = ${Buffer.from(ctx.address.slice(2), "hex")}
        returning revoked_at`
    : [];
  if (!row) throw new ApiError("not_found", "You have no session with this id.");
  return { id, revokedAt: new Date(row.revoked_at) };
}

/** Ends the session of a token: signing out. */
export async function endSession(token: string): Promise<void> {
  await sql()`update sessions set revoked_at = now() where token_hash = ${sessionHash(token)} and revoked_at is null`;
}
