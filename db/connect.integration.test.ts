import { eq, sql as text } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SharedServices, startSharedServices } from "@/test/services/shared-services";
import { anyOf } from "./any-of";
import { ARRAY_TYPES } from "./array-types";
import { db, sql, type Tx } from "./client";
import { insertRows } from "./insert-rows";
import { outgoingTransactions } from "./schema/chain";
import { events } from "./schema/events";
import { availableStates, notes } from "./schema/ledger";
import { webhooks } from "./schema/webhooks";

let services: SharedServices;

beforeAll(async () => {
  services = await startSharedServices();
});
afterAll(() => services.stop());

test("arrays of text reach PostgreSQL and come back unchanged", async () => {
  const texts = ["", "plain", 'a "quoted" text', "back\\slash", "{a,b}", "NULL", " two\nlines ", "ü"];
  const [row] = await sql()`select ${texts}::text[] as texts, ${[]}::text[] as none, array['a', null] as nulls,
    array_length(${texts}::text[], 1) as length, 'ü' = any(${texts}) as holds`;
  expect(row).toEqual({ texts, none: [], nulls: ["a", null], length: texts.length, holds: true });
  const [found] = await db().execute(`select array['a,b', 'c']::text[] as list`);
  expect(found).toEqual({ list: ["a,b", "c"] });
});

test("a query of drizzle is prepared once per connection: in a transaction and below a savepoint", async () => {
  const { id, type } = events;
  const select = (at: Pick<Tx, "select">) => at.select({ id, type }).from(events).where(eq(id, "evt_none"));
  const prepared = (tx: Tx) =>
    tx.execute(text`select from pg_prepared_statements where not from_sql and statement = ${select(tx).toSQL().sql}`);
  await db().transaction(async (tx) => {
    for (let n = 0; n < 3; n++) await select(tx);
    await tx.transaction(async (inner) => select(inner));
    expect(await prepared(tx)).toHaveLength(1);
  });
});

test("every array column of the schema has a declared type", async () => {
  const columns = await sql()<{ oid: number; place: string }[]>`
    select distinct t.oid::int as oid, c.relname || '.' || a.attname as place
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and t.typcategory = 'A'`;
  expect(columns.length).toBeGreaterThan(2);
  const declared = Object.values(ARRAY_TYPES).map(({ to }) => to);
  expect(columns.filter(({ oid }) => !declared.includes(oid))).toEqual([]);
});

test("a list of any length is one statement, of text, bytes and numbers, and an empty one matches nothing", async () => {
  const { hash, operationId } = outgoingTransactions;
  const hashes = ["0x00ff5c22", "0x", "0x01"];
  const query = (count: number) =>
    db()
      .select()
      .from(outgoingTransactions)
      .where(anyOf(hash, hashes.slice(0, count)))
      .toSQL().sql;
  expect(new Set([0, 1, 3].map(query)).size).toBe(1);
  expect(await db().select().from(outgoingTransactions).where(anyOf(hash, []))).toEqual([]);
  expect(
    await db()
      .select()
      .from(outgoingTransactions)
      .where(anyOf(operationId, ['op_"1', "op_2"])),
  ).toEqual([]);
  expect(
    await db()
      .select()
      .from(availableStates)
      .where(anyOf(availableStates.id, ["1", "2"])),
  ).toEqual([]);
  const [found] = await db().execute(
    text`select ${anyOf(hash, hashes)} as holds, ${anyOf(hash, ["0x02"])} as lacks from (select '\\x00ff5c22'::bytea as hash) outgoing_transactions`,
  );
  expect(found).toEqual({ holds: true, lacks: false });
});

test("a list of rows of any length is one statement, and every type of column comes back as it went in", async () => {
  const bytes = "0x005c22ff" as const;
  const note = { account: bytes, asset: "0x", sender: "0x01", txHash: "0x02", ciphertext: bytes } as const;
  const rows = [1n, 2n ** 62n].map((blockNumber, logIndex) => ({
    ...{ ...note, chainId: 1, note: `0x0${logIndex}` as const, source: "change" as const, blockNumber, logIndex },
    newAvailable: logIndex === 0 ? null : bytes,
  }));
  const one = rows.slice(0, 1).map((row) => ({ ...row, newAvailable: bytes }));
  const dialect = new PgDialect();
  expect(dialect.sqlToQuery(insertRows(notes, rows)).sql).toBe(dialect.sqlToQuery(insertRows(notes, one)).sql);
  await db().execute(insertRows(notes, rows));
  const stored = await db().select().from(notes).where(eq(notes.chainId, 1)).orderBy(notes.logIndex);
  expect(stored).toEqual(rows.map((row) => ({ ...row, spent: false })));

  const event = { id: "evt_rows", accountId: 'a "quoted", {text} \\', rootId: "NULL", chainId: 1, type: "" };
  const list = [{ ...event, payload: { text: "\u0000 'ü' \n", none: null }, createdAt: new Date(1_234_567_890_123) }];
  await db().execute(insertRows(events, list));
  expect(await db().select().from(events).where(eq(events.id, event.id))).toEqual(
    list.map((row) => ({ ...row, source: null })),
  );
});

test("rows that would silently miss a default, and arrays within rows, are refused", () => {
  const row = { id: "wh_rows", rootId: "a", chainId: 1, url: "", events: ["account.created"], createdAt: new Date() };
  expect(() => insertRows(webhooks, [row])).toThrow("events is an array");
  const { events: _, ...scalar } = row;
  const some = [{ ...scalar, failures: 1 }, scalar] as (typeof webhooks.$inferInsert)[];
  expect(() => insertRows(webhooks, some)).toThrow("not every row sets failures");
});
