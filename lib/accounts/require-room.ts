import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { type AccountCaps, env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";

/** What has a cap: its name in messages, and what to do at the cap. */
const CAPPED = {
  keys: ["live API keys", "Revoke one first."],
  agents: ["agents", "Ask who runs this service for more."],
} as const satisfies { [What in keyof AccountCaps]?: readonly [string, string] };

/**
 * Checks that a root account has not reached its cap of something on a network. Concurrent callers are counted one
 * after the other: the lock is held until the transaction ends.
 *
 * @param count a query that returns one row with the current number as `count`
 * @throws ApiError `invalid_request` at the cap
 */
export async function requireRoom(
  tx: Tx,
  what: keyof typeof CAPPED,
  rootId: string,
  chainId: ChainId,
  count: SQL,
): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`${what} ${chainId} ${rootId}`}, 0))`);
  const [row] = await tx.execute<{ count: number }>(count);
  const most = env().accountCaps[what];
  if ((row?.count ?? 0) < most) return;
  const [name, remedy] = CAPPED[what];
  throw new ApiError("invalid_request", `An account has at most ${most} ${name} on a network. ${remedy}`);
}
