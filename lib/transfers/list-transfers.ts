import { desc, eq, inArray } from "drizzle-orm";
import { db, sql } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Context, ContextAccount } from "@/lib/context/context";
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

/** Which transfers are whose: an account's own and its agents', or one agent's alone. */
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

/** The transfers an account has sent and received, newest first, without their ciphertexts: one statement. */
export async function listSummaries(ctx: Context, options: ListOptions): Promise<TransferPage<TransferSummary>> {
  const { text, values, options: how } = summariesOfPage(ctx, options);
  const rows = await sql().unsafe<SummaryRow[]>(text, values, how);
  return pageOf(
    rows.map((row) => toSummary(ctx.chainId, row)),
    options,
  );
}

/** As {@link listSummaries}, with their ciphertexts. */
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

/** A page of what was found, of which there is at least one more than the page holds if the list has more. */
function pageOf<T>(found: T[], { limit, offset }: ListOptions) {
  return { transfers: found.slice(0, limit), limit, offset, hasMore: found.length > limit };
}
