import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import type postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { connect } from "./connect";

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
