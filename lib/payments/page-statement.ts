import { and, desc, eq, fillPlaceholders, gt, lt, ne, type SQL, sql } from "drizzle-orm";
import { type PgColumn, PgDialect } from "drizzle-orm/pg-core";
import { hidden } from "@/db/hidden";
import { transfers } from "@/db/schema/transfers";
import { isAfter } from "@/db/start-after";
import type { Context } from "@/lib/base/context/context";
import type { ListOptions } from "./list-options";
import { refundsOf } from "./refunds/refunds-of";
import type { TransferKind } from "./schema";
import { SUMMARY_COLUMNS } from "./summary-row";

/** A statement whose text depends only on which filters are set, not on their values. */
export interface PageStatement {
  text: string;
  values: (string | number)[];
  options: {
    /**
     * Whether a connection plans it once for all values. The best index depends on how common a value is. With a plan
     * for any key, the page of a key that made one payment would read all payments of the others.
     */
    prepare: boolean;
  };
}

/** Returns the statement for the rows of `SummaryRow` of one page, with at least one row more if the list continues. */
export function summariesOfPage(ctx: Context, options: ListOptions): PageStatement {
  return statementOf("summaries", ctx, options);
}

/** Like {@link summariesOfPage}, but only ids. */
export function idsOfPage(ctx: Context, options: ListOptions): PageStatement {
  return statementOf("ids", ctx, options);
}

type Selected = "summaries" | "ids";
type Built = ReturnType<PgDialect["sqlToQuery"]>;

/**
 * Cache of statements, one per combination of filters: some hundreds at most, each built by the first request that uses
 * it.
 */
const built = new Map<string, Built>();
const dialect = new PgDialect();

function statementOf(selected: Selected, ctx: Context, options: ListOptions): PageStatement {
  const shape = shapeOf(selected, ctx, options);
  let query = built.get(shape);
  if (!query) {
    query = dialect.sqlToQuery(selectPage(selected, ctx, options));
    built.set(shape, query);
  }
  const { counterparty, limit, offset } = options;
  const values = fillPlaceholders(query.params, {
    ...options,
    own: ctx.account.id,
    root: ctx.account.rootId,
    chain: ctx.chainId,
    other: counterparty?.address,
    otherAccount: counterparty?.account?.id,
    deep: offset + limit + 1,
  });
  return { text: query.sql, values: values as PageStatement["values"], options: { prepare: suitsAll(options) } };
}

const FILTERS = ["status", "from", "to", "asset", "keyId", "reference", "refundOf"] as const;

/**
 * Reports whether one plan suits all values: of pages without filters that begin with the first rows they find. Received
 * payments alone are a filter, because what an account pays its own agents is none of them.
 */
function suitsAll(options: ListOptions): boolean {
  const filtered = options.counterparty ?? options.kind ?? FILTERS.find((name) => options[name] !== undefined);
  return filtered === undefined && options.offset === 0 && options.direction !== "received";
}
const VALUES = [...FILTERS, "startingAfter"] as const;

/** Returns what the text of a statement depends on. */
function shapeOf(selected: Selected, { account }: Context, options: ListOptions): string {
  const { counterparty, direction = "", kind = "" } = options;
  const other = counterparty && (counterparty.account ? "account" : "address");
  const given = VALUES.filter((name) => options[name] !== undefined);
  return [selected, account.type === "agent", rowsOf(options), direction, kind, other ?? "", ...given].join();
}

/**
 * Returns how many rows a page's statement reads; undefined with an offset. PostgreSQL knows a literal when it makes a
 * generic plan; for a parameter it expects a tenth of the table. Only a few literals are used, so that there are few
 * different texts.
 */
function rowsOf({ limit, offset }: ListOptions): number | undefined {
  return offset > 0 ? undefined : LITERALS.find((rows) => rows > limit);
}
const LITERALS = [2, 21, 101];

/** Builds the query of a page. Each side uses its own index, so that no page reads the whole table. */
function selectPage(selected: Selected, ctx: Context, options: ListOptions): SQL {
  const rows = rowsOf(options);
  const needed = rows === undefined ? sql`${sql.placeholder("deep")}::int` : sql.raw(String(rows));
  const { id, createdAt } = transfers;
  const side = (condition: SQL | undefined) =>
    sql`(select ${id}, ${createdAt} from ${transfers} where ${condition}
      order by ${desc(createdAt)}, ${desc(id)} limit ${needed})`;
  const { sent, received } = sidesOf(ctx, options);
  const sides = [sent, received].filter((condition) => condition !== undefined);
  const found = sides.length === 0 ? side(sql`false`) : sql.join(sides.map(side), sql` union all `);
  // A payment from an account to its own agent is on both sides, but listed once.
  const page = sql`select id, created_at from (${found}) both_sides group by id, created_at
    order by created_at desc, id desc limit ${needed} offset ${rows === undefined ? sql.placeholder("offset") : sql`0`}`;
  if (selected === "ids") return page;
  const payer = sql.raw(ctx.account.type === "agent" ? "t.payer_id" : "t.payer_root_id");
  return sql`select ${sql.raw(SUMMARY_COLUMNS)}, ${payer} = ${value("own", transfers.payerId)} as sent
    from (${page}) page join ${transfers} t on t.id = page.id join accounts p on p.id = t.payer_id
    order by page.created_at desc, page.id desc`;
}

/** Returns a placeholder for a value that is given at execution, in its column's format. */
function value(name: string, column: PgColumn) {
  return sql.param(sql.placeholder(name), column);
}

const LIST = { order: [transfers.createdAt, transfers.id], id: transfers.id, first: "newest" } as const;

// Literals, so that the partial indexes serve these conditions.
const IS_KIND: Record<TransferKind, SQL> = {
  payment: sql`${transfers.kind} = 'transfer' and ${transfers.refundOf} is null`,
  public: sql`${transfers.kind} = 'release'`,
  refund: sql`${transfers.refundOf} is not null`,
  move: sql`${transfers.kind} = 'fund'`,
  payment_request: sql`${transfers.paymentRequestId} is not null`,
  payout: sql`${transfers.payoutId} is not null`,
  schedule: sql`${transfers.scheduleRunId} is not null`,
};
/** Kinds that only the payer sees. */
const PAYERS_ALONE: readonly TransferKind[] = ["payout", "schedule"];

/** Returns the conditions for sent and for received transfers; undefined for a side that can't match. */
function sidesOf({ account }: Context, options: ListOptions): { sent?: SQL; received?: SQL } {
  const { direction, counterparty, kind } = options;
  const isAgent = account.type === "agent";
  const payer = isAgent ? transfers.payerId : transfers.payerRootId;
  const recipient = isAgent ? transfers.recipientId : transfers.recipientRootId;
  const given = (name: (typeof VALUES)[number], column: PgColumn, compare: typeof eq | typeof gt | typeof lt = eq) =>
    options[name] === undefined ? undefined : compare(column, value(name, column));
  const ofAccount = (name: string, column: PgColumn) =>
    suitsAll(options) ? hidden(value(name, column), column.getSQLType()) : value(name, column);
  const common = [
    eq(transfers.chainId, ofAccount("chain", transfers.chainId)),
    given("status", transfers.status),
    given("from", transfers.createdAt, gt),
    given("to", transfers.createdAt, lt),
    given("asset", transfers.asset),
    kind && IS_KIND[kind],
    given("reference", transfers.reference),
    options.refundOf === undefined
      ? undefined
      : sql`${transfers.id} in (${refundsOf(value("refundOf", transfers.refundOf))})`,
    options.startingAfter === undefined ? undefined : isAfter(LIST, sql.placeholder("startingAfter")),
  ];
  // Their indexes begin with the owner, also for an agent's transfers.
  const byOwner = counterparty ?? options.asset ?? kind ?? options.reference;
  const ofOwner = (column: PgColumn) => (byOwner === undefined ? undefined : eq(column, value("root", column)));
  const isSent = direction !== "received";
  // A payment between one's own accounts counts as sent.
  const isReceived =
    direction !== "sent" &&
    options.keyId === undefined &&
    counterparty?.account !== null &&
    !(kind && PAYERS_ALONE.includes(kind));
  const sent = and(
    eq(payer, ofAccount("own", payer)),
    ...common,
    ofOwner(transfers.payerRootId),
    counterparty && eq(transfers.recipientAddress, value("other", transfers.recipientAddress)),
    given("keyId", transfers.keyId),
  );
  const received = and(
    eq(recipient, ofAccount("own", recipient)),
    ...common,
    ofOwner(transfers.recipientRootId),
    counterparty?.account ? eq(transfers.payerId, value("otherAccount", transfers.payerId)) : undefined,
    direction === "received" ? ne(payer, value("own", payer)) : undefined,
  );
  return { sent: isSent ? sent : undefined, received: isReceived ? received : undefined };
}
