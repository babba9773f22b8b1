import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
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
