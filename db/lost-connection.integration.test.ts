import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { sql as ownPool } from "./client";
import { connect } from "./connect";
import { troubleOf } from "./database-away";

let database: LocalDatabase;

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

/** Opens a pool of one connection, and shows the socket that it uses. */
function poolOfOne() {
  const url = new URL(process.env.DATABASE_URL ?? "");
  let newest: Socket | undefined;
  const socket = async () => {
    newest = createConnection(Number(url.port), url.hostname);
    await once(newest, "connect");
    return newest;
  };
  const sql = connect(url.href, { max: 1, connect_timeout: 5, ...{ socket } });
  return { sql, newest: () => newest };
}

/** What a socket reports before it closes, when the other side resets it. */
const reset = () => Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });

const nameOf = (sql: postgres.ISql, name: string) => sql<{ name: string }[]>`select ${name}::text as name`;

const codeOf = (error: { code: string }) => error.code;

/** Waits until what was asked for has been sent. */
const sent = () => new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));

test("statements of a transaction whose connection is lost fail, those that follow too, and the process lives", async () => {
  const { sql, newest } = poolOfOne();
  let show: (errors: unknown[]) => void = () => {};
  const later = new Promise<unknown[]>((resolve) => {
    show = resolve;
  });
  const work = sql.begin(async (tx) => {
    const [row] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    // It may be reset first.
    const lost = new Promise((resolve) => newest()?.once("close", resolve));
    await asOwner((admin) => admin`select pg_terminate_backend(${row?.pid ?? 0})`);
    await lost;
    // As code does that has not yet noticed.
    const failed = () => tx`select 1`.catch((error: unknown) => error);
    show([await failed(), ...(await Promise.all([failed(), failed()]))]);
  });
  const closed = expect.objectContaining({ code: "CONNECTION_CLOSED" });
  await expect(work).rejects.toThrow();
  expect(await later).toEqual([closed, closed, closed]);
  expect(await sql`select 1 as one`).toEqual([{ one: 1 }]);
  await sql.end();
});

test("a connection that was lost with a statement unsent is opened again and works", async () => {
  const { sql, newest } = poolOfOne();
  await sql`select 1`;
  // What is written from a callback of `setImmediate` is sent by the next one. The connection closes before that.
  await new Promise((resolve) => setImmediate(resolve));
  const unsent = sql`select 2`.catch((error: unknown) => error);
  await new Promise<void>((resolve) => process.nextTick(resolve));
  newest()?.destroy();
  expect(await unsent).toBeInstanceOf(Error);
  expect(await sql`select 3 as three`).toEqual([{ three: 3 }]);
  await sql.end();
});

/** Something that one part of a test awaits and another gives. */
function signal() {
  let give = () => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give() };
}

test("a transaction that has lost its connection reaches no other one that got it since", async () => {
  const { sql, newest } = poolOfOne();
  const nonces = (tx: postgres.ISql) => tx`select nonce from siwe_nonces where nonce like 'lost-%' order by 1`;
  const write = (tx: postgres.ISql, nonce: string) =>
    tx`insert into siwe_nonces (nonce, expires_at) values (${nonce}, now())`;
  const [begun, resumed, ended] = [signal(), signal(), signal()];
  let late: unknown;
  const first = sql.begin(async (tx) => {
    await write(tx, "lost-first");
    begun.give();
    await resumed.given;
    late = await write(tx, "lost-late").catch((error: unknown) => error);
    // The statement that ends it comes next.
    setImmediate(() => setImmediate(ended.give));
  });
  await begun.given;
  newest()?.destroy();
  await expect(first).rejects.toThrow();
  const second = sql.begin(async (tx) => {
    await write(tx, "lost-second");
    resumed.give();
    await ended.given;
    expect(await nonces(tx)).toEqual([{ nonce: "lost-second" }]);
    await write(tx, "lost-third");
    throw new Error("rolled back");
  });
  await expect(second).rejects.toThrow("rolled back");
  expect(late).toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(await nonces(sql)).toEqual([]);
  await sql.end();
});

test("a transaction that has ended reaches no other one with a part that goes on", async () => {
  const { sql } = poolOfOne();
  const [refused, begun] = [signal(), signal()];
  let late: unknown;
  const first = sql.begin((tx) => {
    const slow = refused.given.then(async () => {
      await begun.given;
      late = await nameOf(tx, "late").catch(codeOf);
    });
    const fast = nameOf(tx, "fast").then(() => Promise.reject(new Error("refused")));
    return Promise.all([slow, fast]);
  });
  await expect(first).rejects.toThrow("refused");
  refused.give();
  await sql.begin(async (tx) => {
    await nameOf(tx, "second");
    begun.give();
    await sent();
    expect(late).toBe("TRANSACTION_ENDED");
  });
  await sql.end();
});

test("a write on a connection that is being reset fails: it is not taken for done", async () => {
  const { sql, newest } = poolOfOne();
  await sql`select 1`;
  const write = new Promise((resolve) => {
    newest()?.once("error", () => resolve(sql`delete from siwe_nonces`.catch(codeOf)));
  });
  newest()?.destroy(reset());
  expect(await write).toBe("CONNECTION_CLOSED");
  expect(await nameOf(sql, "next")).toEqual([{ name: "next" }]);
  await sql.end();
});

test("what is asked again while a connection is being reset gets no other's rows", async () => {
  const { sql, newest } = poolOfOne();
  await sql`select 1`;
  const first = sql`select pg_sleep(5)`.catch((error) => ({
    code: codeOf(error),
    again: nameOf(sql, "again").execute(),
  }));
  await sent();
  newest()?.destroy(reset());
  const { code, again } = (await first) as { code: string; again: Promise<unknown> };
  const other = sql.begin(async (tx) => [await nameOf(tx, "a"), await nameOf(tx, "b")]);
  expect(code).toBe("ECONNRESET");
  await expect(again).rejects.toMatchObject({ code: "CONNECTION_CLOSED" });
  expect(await other).toEqual([[{ name: "a" }], [{ name: "b" }]]);
  await sql.end();
});

test("after a transaction whose connection was reset, the next one gets its own rows", async () => {
  const { sql, newest } = poolOfOne();
  const first = sql.begin(async (tx) => {
    await tx`select 1`;
    const slow = tx`select pg_sleep(5)`;
    void slow.catch(() => {});
    await sent();
    newest()?.destroy(reset());
    await slow;
  });
  await expect(first).rejects.toThrow();
  expect(await sql.begin(async (tx) => [await nameOf(tx, "a"), await nameOf(tx, "b")])).toEqual([
    [{ name: "a" }],
    [{ name: "b" }],
  ]);
  await sql.end();
});

test("a result that fails after some rows adds none to the next one", async () => {
  const { sql } = poolOfOne();
  await expect(sql`select 10 / (3 - n) from generate_series(1, 5) n`).rejects.toThrow("division by zero");
  expect(await nameOf(sql, "next")).toEqual([{ name: "next" }]);
  await sql.end();
});

test("a pool that has lost a query ends", async () => {
  const { sql, newest } = poolOfOne();
  await sql`select 1`;
  const lost = sql`select pg_sleep(5)`.catch(codeOf);
  await sent();
  newest()?.destroy(reset());
  expect(await lost).toBe("ECONNRESET");
  await sql.end();
});

test("a statement behind one that was too slow, in the same transaction, is the database's trouble as that one is", async () => {
  const { sql } = poolOfOne();
  const errors: unknown[] = [];
  const work = sql.begin(async (tx) => {
    await tx`set local statement_timeout = 1`;
    const keep = (error: unknown) => errors.push(error);
    // Both are sent before the first one fails.
    await Promise.all([tx`select pg_sleep(1)`.catch(keep), tx`select 1`.catch(keep)]);
    throw new Error("the transaction has failed");
  });
  await expect(work).rejects.toThrow();
  expect(errors).toEqual([
    expect.objectContaining({ code: "57014" }),
    expect.objectContaining({ code: "25P02", cause: expect.objectContaining({ code: "57014" }) }),
  ]);
  expect(errors.map(troubleOf)).toEqual(["busy", "busy"]);
  await sql.end();
});

test("a test's database is stopped although late work connects to it again", async () => {
  const { stop } = await startLocalDatabase();
  const other = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1 });
  const looks = () => other`select from pg_stat_activity where query like 'select application_name, state%'`;
  await ownPool()`select 1`;
  const stopped = stop();
  // It has closed this process's connections, finds this one, and looks until it is closed too.
  await expect.poll(async () => (await looks()).length).toBe(1);
  await ownPool()`select 1`;
  await other.end();
  await stopped;
});
