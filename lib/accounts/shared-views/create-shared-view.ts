import { and, count, eq, gt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { sharedViews } from "@/db/schema/shared-views";
import { isoTime } from "@/lib/base/clock";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { type CreateSharedViewInput, LONGEST_SHARED_VIEW_DAYS } from "./schema";
import type { SharedViewRow } from "./shared-view-resource";

/** The most unexpired views that one account can have on one network. */
export const MOST_SHARED_VIEWS = 20;

const DAY_MS = 86_400_000;

/**
 * Stores a view until it expires. The service can't decrypt it: the key is in the link, which the service never sees.
 *
 * @throws ApiError `invalid_request` if the account has {@link MOST_SHARED_VIEWS} already, or the expiry is past or too
 *   far ahead
 */
export async function createSharedView(
  ctx: SessionContext,
  { label, expires_at: expiresAt, encrypted }: CreateSharedViewInput,
  now = new Date(),
): Promise<SharedViewRow> {
  const { account, chainId } = ctx;
  const refuse = (message: string) => new ApiError("invalid_request", message, { param: "expires_at" });
  if (expiresAt <= now) throw refuse("The view would have expired already. Choose a later time.");
  if (expiresAt.getTime() > now.getTime() + LONGEST_SHARED_VIEW_DAYS * DAY_MS) {
    throw refuse(`A view is kept for ${LONGEST_SHARED_VIEW_DAYS} days at most. Choose an earlier time.`);
  }
  return db().transaction(async (tx) => {
    // Without this lock, two concurrent requests could both take the last place.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`shared_views ${chainId} ${account.id}`}, 0))`,
    );
    const mine = and(eq(sharedViews.accountId, account.id), eq(sharedViews.chainId, chainId));
    const [existing] = await tx
      .select({ count: count() })
      .from(sharedViews)
      .where(and(mine, gt(sharedViews.expiresAt, now)));
    if ((existing?.count ?? 0) >= MOST_SHARED_VIEWS) {
      throw new ApiError("invalid_request", `An account shares at most ${MOST_SHARED_VIEWS} views. Delete one first.`);
    }
    const row = { id: newId("view"), accountId: account.id, chainId, label, createdAt: now, expiresAt, openedAt: null };
    await tx.insert(sharedViews).values({ ...row, encrypted: toHex(Buffer.from(encrypted, "base64")) });
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), action: "sharedView.created", target: row.id };
    await appendAudit(tx, { ...entry, after: { label, expires_at: isoTime(expiresAt) } }, now);
    return row;
  });
}
