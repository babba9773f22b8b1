import { and, desc, eq, fillPlaceholders, gt, lt, ne, type SQL, sql } from "drizzle-orm";
import { type PgColumn, PgDialect } from "drizzle-orm/pg-core";
import { transfers } from "@/db/schema/transfers";
import { isAfter } from "@/db/start-after";
import type { Context } from "@/lib/context/context";
import type { ListOptions } from "./list-options";
import type { TransferKind } from "./schema";
import { SUMMARY_COLUMNS } from "./summary-row";

/** A statement whose text depends on what is filtered by, and not on the values. */
export interface Statement {
  text: string;
  values: (string | number)[];
  options: {
    /**
     * Whether a connection plans it once for all values. How common a value is decides which index serves it: planned for
     * any key, the page of a key that made one payment reads all those of the others.
     */
    prepare: boolean;
  };
}

/** The rows of `SummaryRow` of one page and at least one more if the list has more. */
export function summariesOfPage(ctx: Context, options: ListOptions): Statement {
  return statementOf("summaries", ctx, options);
}

/** As {@link summariesOfPage}, ids alone. */
export function idsOfPage(ctx: Context, options: ListOptions): Statement {
  return statementOf("ids", ctx, options);
}

type Selected = "summaries" | "ids";
type Built = ReturnType<PgDialect["sqlToQuery"]>;

/** One for each combination of filters: some hundreds at most, made by the first request that combines them. */
const built = new Map<string, Built>();
const dialect = new PgDialect();

function statementOf(selected: Selected, ctx: Context, options: ListOptions): Statement {
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
  const filtered = counterparty ?? options.kind ?? FILTERS.find((name) => options[name] !== undefined);
  const prepare = filtered === undefined && offset === 0;
  return { text: query.sql, values: values as Statement["values"], options: { prepare } };
}

const FILTERS = ["status", "from", "to", "asset", "keyId", "reference", "refundOf"] as const;
const VALUES = [...FILTERS, "startingAfter"] as const;

/** What the text of a statement depends on. */
function shapeOf(selected: Selected, { account }: Context, options: ListOptions): string {
  const { counterparty, direction = "", kind = "" } = options;
  const other = counterparty && (counterparty.account ? "account" : "address");
  const given = VALUES.filter((name) => options[name] !== undefined);
  return [selected, account.type === "agent", rowsOf(options), direction, kind, other ?? "", ...given].join();
}

/**
 * How many rows the statement of a page reads, undefined behind an offset. PostgreSQL knows a literal when it plans a
 * statement for good, and expects a tenth of the table of a parameter. Few literals, so that there are few texts.
 */
function rowsOf({ limit, offset }: ListOptions): number | undefined {
  return offset > 0 ? undefined : LITERALS.find((rows) => rows > limit);
}
const LITERALS = [2, 21, 101];

/** The page as the query of its shape: each side by its own index, so that no page reads the whole table. */
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
  // What an account pays to its own agent is on both sides and listed once.
  const page = sql`select id, created_at from (${found}) both_sides group by id, created_at
    order by created_at desc, id desc limit ${needed} offset ${rows === undefined ? sql.placeholder("offset") : sql`0`}`;
  if (selected === "ids") return page;
  const payer = sql.raw(ctx.account.type === "agent" ? "t.payer_id" : "t.payer_root_id");
  return sql`select ${sql.raw(SUMMARY_COLUMNS)}, ${payer} = ${value("own", transfers.payerId)} as sent
    from (${page}) page join ${transfers} t on t.id = page.id join accounts p on p.id = t.payer_id
    order by page.created_at desc, page.id desc`;
}

/** A value that a statement gets when it runs, written as its column wants it. */
function value(name: string, column: PgColumn) {
  return sql.param(sql.placeholder(name), column);
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
function sidesOf({ account }: Context, options: ListOptions): { sent?: SQL; received?: SQL } {
  const { direction, counterparty, kind } = options;
  const isAgent = account.type === "agent";
  const payer = isAgent ? transfers.payerId : transfers.payerRootId;
  const recipient = isAgent ? transfers.recipientId : transfers.recipientRootId;
  const given = (name: (typeof VALUES)[number], column: PgColumn, compare: typeof eq | typeof gt | typeof lt = eq) =>
    options[name] === undefined ? undefined : compare(column, value(name, column));
  const common = [
    eq(transfers.chainId, value("chain", transfers.chainId)),
    given("status", transfers.status),
    given("from", transfers.createdAt, gt),
    given("to", transfers.createdAt, lt),
    given("asset", transfers.asset),
    kind && IS_KIND[kind],
    given("reference", transfers.reference),
    given("refundOf", transfers.refundOf),
    options.startingAfter === undefined ? undefined : isAfter(LIST, sql.placeholder("startingAfter")),
  ];
  // Their indexes begin with the owner, also of an agent's.
  const byOwner = counterparty ?? options.asset ?? kind ?? options.reference;
  const ofOwner = (column: PgColumn) => (byOwner === undefined ? undefined : eq(column, value("root", column)));
  const isSent = direction !== "received";
  // What came from one's own side counts as sent.
  const isReceived =
    direction !== "sent" &&
    options.keyId === undefined &&
    counterparty?.account !== null &&
    !(kind && PAYERS_ALONE.includes(kind));
  const sent = and(
    eq(payer, value("own", payer)),
    ...common,
    ofOwner(transfers.payerRootId),
    counterparty && eq(transfers.recipientAddress, value("other", transfers.recipientAddress)),
    given("keyId", transfers.keyId),
  );
  const received = and(
    eq(recipient, value("own", recipient)),
    ...common,
    ofOwner(transfers.recipientRootId),
    counterparty?.account ? eq(transfers.payerId, value("otherAccount", transfers.payerId)) : undefined,
    direction === "received" ? ne(payer, value("own", payer)) : undefined,
  );
  return { sent: isSent ? sent : undefined, received: isReceived ? received : undefined };
}
