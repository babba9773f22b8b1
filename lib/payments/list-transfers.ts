import { desc, eq, inArray } from "drizzle-orm";
import type postgres from "postgres";
import { db, shortRead, sql } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import type { ListOptions } from "./list-options";
import { idsOfPage, summariesOfPage } from "./page-statement";
import { type SummaryRow, toSummary } from "./summary-row";
import { joinPayer, payers, type TransferSummary, type TransferView, viewColumns } from "./transfer-view";

export interface TransferPage<T extends TransferSummary> {
  transfers: T[];
  limit: number;
  offset: number;
  hasMore: boolean;
}

/** Returns the conditions for an account's transfers: its own and its agents', or for an agent only its own. */
export function mineOf(account: ContextAccount) {
  if (account.type === "agent") {
    return {
      payer: { id: account.id, key: "payerId", is: eq(transfers.payerId, account.id) },
      recipient: { is: eq(transfers.recipientId, account.id) },
    } as const;
  }
  return {
    payer: { id: account.id, key: "payerRootId", is: eq(transfers.payerRootId, account.id) },
    recipient: { is: eq(transfers.recipientRootId, account.id) },
  } as const;
}

/**
 * Returns the transfers that an account has sent and received, newest first, without their ciphertexts, in one
 * statement.
 */
export async function listSummaries(ctx: Context, options: ListOptions): Promise<TransferPage<TransferSummary>> {
  const { text, values, options: how } = summariesOfPage(ctx, options);
  const read = (sql: postgres.Sql) => sql.unsafe<SummaryRow[]>(text, values, how);
  const rows = await (how.prepare ? shortRead("rows", read) : read(sql()));
  return pageOf(
    rows.map((row) => toSummary(ctx.chainId, row)),
    options,
  );
}

/** Like {@link listSummaries}, with the ciphertexts. */
export async function listTransfers(ctx: Context, options: ListOptions): Promise<TransferPage<TransferView>> {
  const { text, values, options: how } = idsOfPage(ctx, options);
  const found = await sql().unsafe<{ id: string }[]>(text, values, how);
  const { transfers: ids, ...page } = pageOf(
    found.map(({ id }) => id),
    options,
  );
  const rows =
    ids.length === 0
      ? []
      : await db()
          .select(viewColumns)
          .from(transfers)
          .innerJoin(payers, joinPayer)
          .where(inArray(transfers.id, ids))
          .orderBy(desc(transfers.createdAt), desc(transfers.id));
  const { payer } = mineOf(ctx.account);
  return {
    ...page,
    transfers: rows.map((row) => ({ ...row, direction: row.row[payer.key] === payer.id ? "sent" : "received" })),
  };
}

/** Returns a page of what was found. There is at least one row more than the page holds if the list continues. */
function pageOf<T>(found: T[], { limit, offset }: ListOptions) {
  return { transfers: found.slice(0, limit), limit, offset, hasMore: found.length > limit };
}
