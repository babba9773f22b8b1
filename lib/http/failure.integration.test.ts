import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { db, lockSql, processConnection, relaxedSql, shortRead, sql } from "@/db/client";
import { Gate, gated, SecondConnection } from "@/db/gate";
import { TIMEOUTS } from "@/db/settings";
import { isAlive } from "@/lib/worker/health/is-alive";
import { asOwner } from "@/test/services/as-owner";
import { inAnotherRequest } from "@/test/services/elsewhere";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { failure } from "./failure";

let database: LocalDatabase;
let url: string;

beforeAll(async () => {
  database = await startLocalDatabase();
  url = process.env.DATABASE_URL ?? "";
  await asOwner((owner) => owner`create table things (id int primary key)`);
  await sql()`insert into things values (1)`;
});
afterAll(() => database?.stop());

/** Returns the response that a caller gets when this fails. */
async function responseTo(
  work: PromiseLike<unknown>,
): Promise<{ status: number; code: string; retryAfter: string | null }> {
  const thrown = await Promise.resolve(work).then(
    () => expect.unreachable("this was to fail"),
    (error: unknown) => error,
  );
  const response = failure(thrown, "req_1", "GET /v1/test");
  return {
    status: response.status,
    code: (await response.json()).error.code,
    retryAfter: response.headers.get("retry-after"),
  };
}

const COME_BACK = { status: 503, code: "unavailable", retryAfter: "1" };

/** Reports whether a query was refused because it needed a second connection. drizzle puts the reason into `cause`. */
async function isRefused(work: PromiseLike<unknown>): Promise<boolean> {
  const thrown = await Promise.resolve(work).catch((error: Error) => error);
  return [thrown, thrown instanceof Error && thrown.cause].some((error) => error instanceof SecondConnection);
}

describe("inside a transaction", () => {
  test("every way to get a second connection throws", async () => {
    const before = db();
    await db().transaction(async (tx) => {
      expect(await isRefused(db().execute("select 1"))).toBe(true);
      expect(await isRefused(before.execute("select 1"))).toBe(true);
      expect(await isRefused(sql()`select 1`)).toBe(true);
      expect(await isRefused(relaxedSql()`select 1`)).toBe(true);
      expect(await isRefused(db().transaction(async () => {}))).toBe(true);
      expect(await isRefused(sql().begin(async () => {}))).toBe(true);
      expect([...(await tx.execute("select 1 as one"))]).toEqual([{ one: 1 }]);
    });
    await sql().begin(async (tx) => {
      expect(await isRefused(sql()`select 1`)).toBe(true);
      expect([...(await tx`select 1 as one`)]).toEqual([{ one: 1 }]);
    });
    expect([...(await sql()`select 1 as one`)]).toEqual([{ one: 1 }]);
  });

  test("work that it began and that continues afterwards may ask", async () => {
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    let later: Promise<unknown> | undefined;
    await db().transaction(async () => {
      later = ended.then(() => sql()`select 1 as one`);
    });
    end();
    expect(await later).toHaveLength(1);
  });
});

describe("a database that cannot keep up gets a 503 with Retry-After", () => {
  test("every connection has its timeouts", async () => {
    const timeoutOf = (name: string) => (client: postgres.Sql) =>
      client<{ value: number }[]>`
      select (extract(epoch from current_setting(${name})::interval) * 1000)::int as value`;
    for (const [name, ms] of Object.entries(TIMEOUTS)) {
      const read = timeoutOf(name);
      const found = [read(sql()), read(relaxedSql()), shortRead("keys", read), shortRead("rows", read)];
      for (const [row] of await Promise.all(found)) {
        expect(row?.value, name).toBe(ms);
      }
    }
  });

  test("both sides of every connection notice that the other is gone", async () => {
    const pools = [sql(), relaxedSql(), lockSql(), processConnection(() => {})];
    for (const of of ["keys", "rows"] as const) await shortRead(of, async (sql) => pools.push(sql));
    for (const pool of pools) {
      expect(pool.options).toMatchObject({ response_timeout: 13, keep_alive: 5 });
      const [row] = await pool`select current_setting('tcp_user_timeout') as unanswered,
        current_setting('tcp_keepalives_idle') as idle`;
      expect(row).toEqual({ unanswered: "20000", idle: "5" });
    }
  });

  test("a lock that is not let go of", async () => {
    await sql().begin(async (holder) => {
      await holder`select from things where id = 1 for update`;
      const waiting = gated(postgres(url, { max: 1, connection: { lock_timeout: 50 } }), new Gate(1));
      // From outside of this transaction, like another request.
      const asked = inAnotherRequest(() => waiting`update things set id = 1 where id = 1`);
      expect(await responseTo(asked)).toEqual(COME_BACK);
      await waiting.end();
    });
  });

  test("a statement that takes too long", async () => {
    const slow = db().transaction(async (tx) => {
      await tx.execute("set local statement_timeout = 50");
      await tx.execute("select pg_sleep(60)");
    });
    expect(await responseTo(slow)).toEqual(COME_BACK);
  });

  test("what follows a statement that failed in the same transaction gets the response to that one", async () => {
    const following = (first: string, timeoutMs = 60_000) =>
      db().transaction(async (tx) => {
        await tx.execute(`set local statement_timeout = ${timeoutMs}`);
        tx.execute(first).catch(() => {});
        await tx.execute("select 1");
      });
    expect(await responseTo(following("select pg_sleep(60)", 50))).toEqual(COME_BACK);
    expect(await responseTo(following("insert into things values (1)"))).toMatchObject({
      status: 500,
      code: "internal",
    });
  });

  test("a transaction in which nothing happens: its connection is taken away, and the next one works", async () => {
    const idle = sql().begin(async (tx) => {
      await tx`set local idle_in_transaction_session_timeout = 50`;
      await new Promise(() => {});
    });
    expect(await responseTo(idle)).toEqual(COME_BACK);
    expect(await sql()`select 1`).toHaveLength(1);
  });

  test("no connection of the pool in time", async () => {
    const gate = new Gate(1, 1, 50);
    const small = gated(postgres(url, { max: 1 }), gate);
    await small.begin(async () => {
      expect(gate.starvedMs()).toBe(0);
      expect(await responseTo(inAnotherRequest(() => small`select 1`))).toEqual(COME_BACK);
      expect(await responseTo(inAnotherRequest(() => small.begin(async () => {})))).toEqual(COME_BACK);
      expect(gate.starvedMs()).toBeGreaterThan(0);
    });
    expect(gate.starvedMs()).toBe(0);
    expect(await small`select 1`).toHaveLength(1);
    await small.end();
  });

  test("no connection left in PostgreSQL", async () => {
    await asOwner((owner) => owner`create role crowded login password 'test' connection limit 0`);
    const crowded = postgres(url.replace(/\/\/[^@]*@/, "//crowded:test@"), { max: 1 });
    expect(await responseTo(crowded`select 1`)).toEqual(COME_BACK);
    await crowded.end();
  });
});

describe("a process whose pool is stuck", () => {
  const stuck = async () => 31_000;

  test("is not alive while PostgreSQL serves others", async () => {
    expect(await isAlive(stuck, url)).toBe(false);
  });

  test("is alive when PostgreSQL is away: starting it again would not help", async () => {
    expect(await isAlive(stuck, "postgres://nobody:x@127.0.0.1:1/none")).toBe(true);
  });

  test("is alive as long as connections come and go", async () => {
    expect(await isAlive(async () => 29_000, url)).toBe(true);
    expect(await isAlive()).toBe(true);
  });
});
