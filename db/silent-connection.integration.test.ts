import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { type SilentProxy, startSilentProxy } from "@/test/services/silent-proxy";
import { connect } from "./connect";
import { troubleOf } from "./database-away";
import { Gate, gated, withoutDeadline } from "./gate";
import { Pulse } from "./pulse";

let database: LocalDatabase;

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

/** Long for a database that works, also on a busy machine: most tests need one that responds. */
const RESPONSE_SECONDS = 1.5;

const url = () => process.env.DATABASE_URL ?? "";
const poolAt = (address: string, options: { max?: number; max_lifetime?: number } = {}) =>
  connect(address, { max: 1, connect_timeout: 3, response_timeout: RESPONSE_SECONDS, ...options });

const troubleWith = (work: PromiseLike<unknown>) =>
  Promise.resolve(work).then(
    () => "it succeeded",
    (error: unknown) => troubleOf(error),
  );

const one = (sql: postgres.ISql) => sql<{ n: number }[]>`select ${1}::int as n`;

/** Runs a test with a proxy before the database. */
async function behindProxy(work: (proxy: SilentProxy) => Promise<void>): Promise<void> {
  const proxy = await startSilentProxy(url());
  try {
    await work(proxy);
  } finally {
    await proxy.stop();
  }
}

describe("a connection that goes silent", () => {
  test("fails all that waits for it, by the client's own clock, and another one takes its place", async () => {
    await behindProxy(async (proxy) => {
      const sql = poolAt(proxy.url);
      await one(sql);
      proxy.silence();
      expect(await Promise.all([one(sql), one(sql)].map(troubleWith))).toEqual(["away", "away"]);
      const work = sql.begin(async (tx) => {
        await one(tx);
        proxy.silence();
        await Promise.all([one(tx), one(tx)]);
      });
      expect(await troubleWith(work)).toBe("away");
      expect(await one(sql)).toEqual([{ n: 1 }]);
      await sql.end();
    });
  });

  test("is noticed although more and more is sent on it", async () => {
    await behindProxy(async (proxy) => {
      const sql = poolAt(proxy.url);
      await one(sql);
      proxy.silence();
      const first = troubleWith(one(sql));
      const more = setInterval(() => void troubleWith(one(sql)), 20);
      expect(await first).toBe("away");
      clearInterval(more);
      await sql.end();
    });
  });

  test("is noticed when it is to be closed", async () => {
    await behindProxy(async (proxy) => {
      const sql = poolAt(proxy.url, { max_lifetime: 0.3 });
      await one(sql);
      proxy.silence();
      await new Promise((resolve) => setTimeout(resolve, 350));
      expect(await one(sql)).toEqual([{ n: 1 }]);
      await sql.end();
    });
  });

  test("may be every one: what is asked fails, and works again once the database does", async () => {
    await behindProxy(async (proxy) => {
      const sql = poolAt(proxy.url, { max: 2 });
      await Promise.all([one(sql), one(sql)]);
      proxy.silence(true);
      expect(await Promise.all([one(sql), one(sql), one(sql)].map(troubleWith))).toEqual(["away", "away", "away"]);
      proxy.serve();
      proxy.silence();
      await expect.poll(() => troubleWith(one(sql))).toBe("it succeeded");
      await sql.end();
    });
  });
});

test("a pool's pulse says for how long none of its connections has responded", async () => {
  await behindProxy(async (proxy) => {
    const sql = poolAt(proxy.url);
    const pulse = new Pulse(sql);
    expect(await pulse.silentMs()).toBe(0);
    proxy.silence(true);
    const first = await pulse.silentMs();
    expect(first).toBeGreaterThan(900 * RESPONSE_SECONDS);
    expect(await pulse.silentMs()).toBeGreaterThan(first);
    proxy.serve();
    proxy.silence();
    await expect.poll(() => pulse.silentMs()).toBe(0);
    await sql.end();
  });
});

test("a frozen server process counts as silent", async () => {
  const sql = poolAt(url());
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  const pid = row?.pid ?? 0;
  process.kill(pid, "SIGSTOP");
  try {
    expect(await troubleWith(one(sql))).toBe("away");
    expect(await one(sql)).toEqual([{ n: 1 }]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await sql.end();
});

test("a transaction that may take long is not cut off, and those after it are", async () => {
  const sql = gated(poolAt(url()), new Gate(1));
  const slow = (at: postgres.ISql) => at`select pg_sleep(${2 * RESPONSE_SECONDS})`;
  await sql.begin(async (tx) => {
    withoutDeadline();
    await slow(tx);
  });
  expect(await troubleWith(slow(sql))).toBe("away");
  expect(await troubleWith(sql.begin(slow))).toBe("away");
  await sql.end();
});

test("a process that was frozen itself reads what has arrived meanwhile", async () => {
  const sql = poolAt(url());
  await one(sql);
  const asked = one(sql);
  await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000 * RESPONSE_SECONDS);
  expect(await asked).toEqual([{ n: 1 }]);
  await sql.end();
});
