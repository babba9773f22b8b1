import { and, asc, eq, gt } from "drizzle-orm";
import { anyOf } from "@/db/any-of";
import { db } from "@/db/client";
import { payoutRows } from "@/db/schema/payouts";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/base/context/context";
import type { TransferView } from "@/lib/payments/transfer-view";
import { findPayout, type Payout } from "./find-payout";
import type { PayoutRowRecord } from "./next-group";
import type { ListPayoutRowsQuery } from "./schema";

/** A page of a payout's rows. */
export interface PayoutRowPage {
  payout: Payout;
  list: PayoutRowRecord[];
  limit: number;
  hasMore: boolean;
}

/** A page of a payout's rows with their payments, by the transfers' ids. */
export interface OwnPayoutRowPage extends PayoutRowPage {
  paidBy: ReadonlyMap<string, TransferView>;
}

/** The filters and the size of a page of rows. */
type RowsQuery = Omit<ListPayoutRowsQuery, "include">;

/**
 * Returns the rows of a payout in the order of its file.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function listRows(ctx: Context, id: string, query: RowsQuery): Promise<PayoutRowPage> {
  const payout = await findPayout(ctx, id);
  const { limit, status, batch, starting_after: after = 0 } = query;
  const rows = await db()
    .select()
    .from(payoutRows)
    .where(
      and(
        eq(payoutRows.payoutId, id),
        gt(payoutRows.row, after),
        status === undefined ? undefined : eq(payoutRows.status, status),
        batch === undefined ? undefined : eq(payoutRows.batch, batch),
      ),
    )
    .orderBy(asc(payoutRows.row))
    // One more shows whether another page follows.
    .limit(limit + 1);
  return { payout, list: rows.slice(0, limit), limit, hasMore: rows.length > limit };
}

/**
 * Returns the same rows with their payments: once a payout is done, only the payments' own copies say what was paid.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function listOwnRows(ctx: Context, id: string, query: RowsQuery): Promise<OwnPayoutRowPage> {
  const page = await listRows(ctx, id, query);
  const ids = page.list.flatMap(({ transferId }) => transferId ?? []);
  const rows = ids.length === 0 ? [] : await db().select().from(transfers).where(anyOf(transfers.id, ids));
  const payer = { payerHandle: ctx.account.handle, payerAddress: ctx.account.address, direction: "sent" as const };
  return { ...page, paidBy: new Map(rows.map((row) => [row.id, { row, ...payer }])) };
}
