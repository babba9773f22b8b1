import { sql } from "@/db/client";
import type { SessionContext } from "@/lib/auth/context";
import { ApiError } from "@/lib/errors";

/**
 * Ends a key, from the next request on every server, and deletes what it wrapped. Repeatable.
 *
 * @throws ApiError `not_found` for an unknown key, another account's, or one of the other network
 */
export async function revokeKey(ctx: SessionContext, id: string): Promise<{ id: string; revokedAt: Date }> {
  const [row] = await sql()<{ revoked_at: string }[]>`
    update api_keys set revoked_at = coalesce(revoked_at, now()), wrap = null, flag_wrap = null
    where id = ${id} and account_id = ${ctx.account.id} and chain_id = ${ctx.chainId}
    returning revoked_at`;
  if (!row) throw new ApiError("not_found", "You have no API key with this id on this network.");
  return { id, revokedAt: new Date(row.revoked_at) };
}
