import { sql as sqlText } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { db, shortRead } from "./client";
import { troubleOf } from "./database-away";
import { Gate, gated, SecondConnection } from "./gate";

let database: LocalDatabase;

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

test("short reads share their connections, each gets its own rows, and a failure is only its own", async () => {
  const read = (n: number) =>
    shortRead(
      "rows",
      (sql) => sql<{ n: number; pid: number }[]>`
        select ${n}::int as n, pg_backend_pid() as pid, 1 / (${n}::int - 30) as fails`,
    );
  const all = await Promise.allSettled(Array.from({ length: 100 }, (_, n) => read(n)));
  const rows = all.map((one) => (one.status === "fulfilled" ? one.value[0] : undefined));
  expect(rows.map((row) => row?.n)).toEqual(rows.map((_, n) => (n === 30 ? undefined : n)));
  expect(new Set(rows.flatMap((row) => row?.pid ?? [])).size).toBeLessThanOrEqual(2);
});

test("keys have a connection of their own", async () => {
  const pidOf = async (of: "keys" | "rows") =>
    (await shortRead(of, (sql) => sql`select pg_backend_pid() as pid`))[0]?.pid;
  expect(await pidOf("keys")).not.toBe(await pidOf("rows"));
});

test("times come as text, like those of the pool", async () => {
  const [row] = await shortRead("rows", (sql) => sql`select timestamptz '2026-11-26 06:00:00.123+00' as time`);
  expect(row?.time).toBe("2026-11-26 06:00:00.123+00");
});

test("inside a transaction a short read is refused: it is another connection", async () => {
  const reading = db().transaction(() => shortRead("rows", (sql) => sql`select 1`).then(() => {}));
  await expect(reading).rejects.toThrow(SecondConnection);
});

test("no read gets another's rows when a table changes below its statement", async () => {
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1 });
  await owner`create table changing as select n, n * 10 as v from generate_series(0, 9) n`;
  await owner`grant select on changing to public`;
  const changing = (n: number) =>
    shortRead("rows", (sql) => sql<{ n: number; v: unknown }[]>`select n, v from changing where n = ${n}`);
  const other = (n: number) =>
    shortRead("rows", (sql) => sql<{ n: number; v: unknown }[]>`select ${n}::int as n, 0 as v`);
  const round = async () => {
    const reads = Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? changing(n / 4) : other(100 + n)));
    const rows = await Promise.all(reads);
    expect(rows.map(([row]) => row?.n)).toEqual(rows.map((_, n) => (n % 4 === 0 ? n / 4 : 100 + n)));
    return rows[4]?.[0]?.v;
  };
  expect(await round()).toBe(10);
  await owner`alter table changing alter v type text using 'text ' || v`;
  expect(await round()).toBe("text 10");
  expect(await round()).toBe("text 10");
  await owner.end();
});

test("Drizzle, and another bundle than the one that connected, find their rows when a table changes", async () => {
  const owner = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1 });
  await owner`create table altered as select 1 as v`;
  await owner`grant select on altered to public`;
  await shortRead("rows", (sql) => sql`select ${1}::int`);
  vi.resetModules();
  const { shortRead: ofAnotherBundle } = await import("./client");
  expect(ofAnotherBundle).not.toBe(shortRead);
  const altered = () =>
    ofAnotherBundle("rows", (_, shared) => shared.execute(sqlText`select v from altered where ${1} = 1`));
  for (let connection = 0; connection < 4; connection++) expect([...(await altered())]).toEqual([{ v: 1 }]);
  await owner`alter table altered alter v type text using 'text'`;
  for (let again = 0; again < 4; again++) expect([...(await altered())]).toEqual([{ v: "text" }]);
  await owner.end();
});

test("a value that can't be sent fails its own read alone", async () => {
  const read = (n: number | undefined) =>
    shortRead("rows", (sql) => sql<{ n: number }[]>`select ${n as number}::int as n`).catch((error: Error) => error);
  const [first, none, last] = await Promise.all([read(1), read(undefined), read(3)]);
  expect(none).toBeInstanceOf(TypeError);
  expect([first, last]).toMatchObject([[{ n: 1 }], [{ n: 3 }]]);
});

test("reads that get no connection fail after a while, each of them, and not one after the other", async () => {
  const nowhere = postgres("postgres://no-one:x@127.0.0.1:1/none", { max: 1 });
  const shared = gated(nowhere, new Gate(64, 64, 3_000), true);
  const ended = await Promise.allSettled(Array.from({ length: 40 }, (_, n) => shared`select ${n}::int`));
  const troubles = ended.map((one) => one.status === "rejected" && troubleOf(one.reason));
  expect(new Set(troubles)).toEqual(new Set(["away", "busy"]));
  await nowhere.end({ timeout: 0 });
});
