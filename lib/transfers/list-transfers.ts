import { and, desc, eq, gt, inArray, lt, ne, type SQL, sql } from "drizzle-orm";
import { unionAll } from "drizzle-orm/pg-core";
import type { Address } from "viem";
import { db } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import { isAfter } from "@/db/start-after";
import type { Context, ContextAccount } from "@/lib/context/context";
import type { TransferKind } from "./schema";
import { joinPayer, payers, type TransferView, viewColumns } from "./transfer-view";

/** Filters and page, as the query of the list says. `from` and `to` are strict bounds on the time of creation. */
export interface ListOptions {
  limit: number;
  offset: number;
  status?: "pending" | "confirmed" | "failed";
  from?: Date;
  to?: Date;
  direction?: "sent" | "received";
  asset?: Address;
  /** Who is on the other side; without an account it can only have been paid. */
  counterparty?: { address: Address; account: { id: string } | null };
  /** Only payments made with this API key. */
  keyId?: string;
  kind?: TransferKind;
  reference?: string;
  /** Only the refunds of this transfer, by its id. */
  refundOf?: string;
  /** Only what follows this transfer in the list, which the caller may see. */
  startingAfter?: string;
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
export function pageOfIds(ctx: Context, options: ListOptions) {
  const { limit, offset } = options;
  const needed = offset + limit + 1;
  const side = (conditions: SQL | undefined) =>
    db()
      .select({ id: transfers.id, createdAt: transfers.createdAt })
      .from(transfers)
      .where(conditions)
      .orderBy(...newestFirst)
      .limit(needed);
  const { sent, received } = sidesOf(ctx, options);
  const both = sent && received ? unionAll(side(sent), side(received)) : side(sent ?? received ?? sql`false`);
  const found = both.as("both");
  // What an account pays to its own agent is on both sides and listed once.
  return db()
    .select({ id: found.id })
    .from(found)
    .groupBy(found.id, found.createdAt)
    .orderBy(desc(found.createdAt), desc(found.id))
    .limit(limit + 1)
    .offset(offset);
}

const LIST = { order: [transfers.createdAt, transfers.id], id: transfers.id, first: "newest" } as const;

// Literals, so that the partial indexes serve them.
const IS_KIND: Record<TransferKind, SQL> = {
  payment: sql`${transfers.kind} = 'transfer' and ${transfers.refundOf} is null`,
  public: sql`${transfers.kind} = 'release'`,
  refund: sql`${transfers.refundOf} is not null`,
  move: sql`${transfers.kind} = 'fund'`,
  payment_request: sql`${transfers.paymentRequestId} is not null`,
  payout: sql`${transfers.payoutId} is not null`,
  schedule: sql`${transfers.scheduleRunId} is not null`,
};
/** What only the payer is shown. */
const PAYERS_ALONE: readonly TransferKind[] = ["payout", "schedule"];

/** What is looked for among sent and among received transfers; undefined: nothing there. */
function sidesOf(ctx: Context, options: ListOptions): { sent?: SQL; received?: SQL } {
  const { status, from, to, direction, asset, counterparty, keyId, startingAfter, kind } = options;
  const { reference, refundOf } = options;
  const { payer, recipient } = mineOf(ctx.account);
  const { rootId } = ctx.account;
  const common = [
    eq(transfers.chainId, ctx.chainId),
    status && eq(transfers.status, status),
    from && gt(transfers.createdAt, from),
    to && lt(transfers.createdAt, to),
    asset && eq(transfers.asset, asset),
    kind && IS_KIND[kind],
    reference === undefined ? undefined : eq(transfers.reference, reference),
    refundOf === undefined ? undefined : eq(transfers.refundOf, refundOf),
    startingAfter === undefined ? undefined : isAfter(LIST, startingAfter),
  ];
  // Their indexes begin with the owner, also of an agent's.
  const byOwner = [asset, counterparty, kind, reference].some((filter) => filter !== undefined);
  const isSent = direction !== "received";
  // What came from one's own side counts as sent.
  const isReceived =
    direction !== "sent" &&
    keyId === undefined &&
    counterparty?.account !== null &&
    !(kind && PAYERS_ALONE.includes(kind));
  const sent = and(
    payer.is,
    ...common,
    byOwner ? eq(transfers.payerRootId, rootId) : undefined,
    counterparty && eq(transfers.recipientAddress, counterparty.address),
    keyId === undefined ? undefined : eq(transfers.keyId, keyId),
  );
  const received = and(
    recipient.is,
    ...common,
    byOwner ? eq(transfers.recipientRootId, rootId) : undefined,
    counterparty?.account ? eq(transfers.payerId, counterparty.account.id) : undefined,
    direction === "received" ? ne(transfers[payer.key], payer.id) : undefined,
  );
  return { sent: isSent ? sent : undefined, received: isReceived ? received : undefined };
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
