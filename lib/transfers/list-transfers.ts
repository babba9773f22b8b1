import { and, desc, eq, gt, inArray, lt, type SQL } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import { db } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Context, ContextAccount } from "@/lib/auth/context";
import { joinPayer, payers, type TransferView, viewColumns } from "./transfer-view";

/** Filters and page, as the query of the list says. `from` and `to` are strict bounds on the time of creation. */
export interface ListOptions {
  limit: number;
  offset: number;
  status?: "pending" | "confirmed" | "failed";
  from?: Date;
  to?: Date;
}

export interface TransferPage {
  transfers: TransferView[];
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

const newestFirst = [desc(transfers.createdAt), desc(transfers.id)] as const;

/** The query for ids of one page and one more: each side by its own index, so that no page reads the whole table. */
export function pageOfIds(ctx: Context, { limit, offset, status, from, to }: ListOptions) {
  const { payer, recipient } = mineOf(ctx.account);
  const filters = [
    eq(transfers.chainId, ctx.chainId),
    ...(status ? [eq(transfers.status, status)] : []),
    ...(from ? [gt(transfers.createdAt, from)] : []),
    ...(to ? [lt(transfers.createdAt, to)] : []),
  ];
  const needed = offset + limit + 1;
  const side = (mine: SQL) =>
    db()
      .select({ id: transfers.id, createdAt: transfers.createdAt })
      .from(transfers)
      .where(and(mine, ...filters))
      .orderBy(...newestFirst)
      .limit(needed);
  const both = unionAll(side(payer.is), side(recipient.is)).as("both");
  // What an account pays to its own agent is on both sides and listed once.
  return db()
    .select({ id: both.id })
    .from(both)
    .groupBy(both.id, both.createdAt)
    .orderBy(desc(both.createdAt), desc(both.id))
    .limit(limit + 1)
    .offset(offset);
}

/** The transfers an account has sent and received, newest first. */
export async function listTransfers(ctx: Context, options: ListOptions): Promise<TransferPage> {
  const { limit, offset } = options;
  const ids = (await pageOfIds(ctx, options)).map(({ id }) => id);
  const shown = ids.slice(0, limit);
  const rows =
    shown.length === 0
      ? []
      : await db()
          .select(viewColumns)
          .from(transfers)
          .innerJoin(payers, joinPayer)
          .where(inArray(transfers.id, shown))
          .orderBy(...newestFirst);
  const { payer } = mineOf(ctx.account);
  return {
    transfers: rows.map((found) => ({ ...found, direction: found.row[payer.key] === payer.id ? "sent" : "received" })),
    limit,
    offset,
    hasMore: ids.length > limit,
  };
}
