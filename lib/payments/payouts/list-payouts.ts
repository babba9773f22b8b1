import { and, desc, eq, lt, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { hidden } from "@/db/hidden";
import { payouts } from "@/db/schema/payouts";
import type { Context } from "@/lib/base/context/context";
import { payoutsWithinReach, requireAccount } from "./find-payout";
import { countRows, type PayoutView } from "./read-payout";
import type { ListPayoutsQuery } from "./schema";

/** A page of payouts. */
export interface PayoutPage {
  list: PayoutView[];
  limit: number;
  hasMore: boolean;
}

/** Returns the query for one page of payouts plus one row, which shows whether another page follows. */
function pageOfPayouts(ctx: Context, { limit, status, starting_after: after }: ListPayoutsQuery) {
  return (
    db()
      .select()
      .from(payouts)
      // The status is a literal, not a parameter, so that the partial index serves the unfiltered list.
      .where(
        and(
          payoutsWithinReach(ctx),
          status ? eq(payouts.status, status) : sql`${payouts.status} <> 'draft'`,
          after === undefined ? undefined : lt(payouts.id, hidden(after)),
        ),
      )
      .orderBy(desc(payouts.id))
      .limit(limit + 1)
  );
}

/**
 * Returns the account's payouts with their progress, newest first.
 *
 * @throws ApiError `key_forbidden`
 */
export async function listPayouts(ctx: Context, query: ListPayoutsQuery): Promise<PayoutPage> {
  requireAccount(ctx);
  const rows = await pageOfPayouts(ctx, query);
  const shown = rows.slice(0, query.limit);
  const counts = await countRows(shown.map(({ id }) => id));
  const list = shown.flatMap((payout) => {
    const of = counts.get(payout.id);
    return of ? [{ payout, counts: of }] : [];
  });
  return { list, limit: query.limit, hasMore: rows.length > query.limit };
}
