import { and, asc, eq, gt } from "drizzle-orm";
import { db } from "@/db/client";
import { payoutRows } from "@/db/schema/payouts";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/context/context";
import { findPayout, type Payout } from "./find-payout";
import type { PayoutRowRecord } from "./next-group";
import type { ListPayoutRowsQuery } from "./schema";

/** A row with its payment's recipient. */
export interface PayoutRowView {
  record: PayoutRowRecord;
  /** The transfer's recipient; null until there is a transfer. */
  to: string | null;
}

/** A page of a payout's rows. */
export interface PayoutRowPage {
  payout: Payout;
  list: PayoutRowView[];
  limit: number;
  hasMore: boolean;
}

/** The filters and the size of a page of rows. */
export type RowsQuery = ListPayoutRowsQuery & { batch?: number | undefined };

/** Returns the query for one page of rows plus one row, which shows whether another page follows. */
export function pageOfRows(payoutId: string, { limit, status, batch, starting_after: after = 0 }: RowsQuery) {
  return db()
    .select({ record: payoutRows, to: transfers.to })
    .from(payoutRows)
    .leftJoin(transfers, eq(transfers.id, payoutRows.transferId))
    .where(
      and(
        eq(payoutRows.payoutId, payoutId),
        gt(payoutRows.row, after),
        status === undefined ? undefined : eq(payoutRows.status, status),
        batch === undefined ? undefined : eq(payoutRows.batch, batch),
      ),
    )
    .orderBy(asc(payoutRows.row))
    .limit(limit + 1);
}

/**
 * Returns the rows of a payout in the order of its file.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function listRows(ctx: Context, id: string, query: RowsQuery): Promise<PayoutRowPage> {
  const payout = await findPayout(ctx, id);
  const rows = await pageOfRows(id, query);
  return { payout, list: rows.slice(0, query.limit), limit: query.limit, hasMore: rows.length > query.limit };
}
