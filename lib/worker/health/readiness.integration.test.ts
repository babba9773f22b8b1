import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDb, db, shortRead, sql, stuckMs } from "@/db/client";
import { databaseAway } from "@/db/database-away";
import { operations } from "@/db/schema/chain";
import { workerHeartbeats } from "@/db/schema/events";
import { takesWrites } from "@/db/takes-writes";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { startSilentProxy } from "@/test/services/silent-proxy";
import { withSettings } from "@/test/services/with-settings";
import { readiness } from "./readiness";
import { serveHealth } from "./serve-health";
import { serviceStatus } from "./service-status";
import { announceStop } from "./stopping";

let database: LocalDatabase;
let running = true;

beforeAll(async () => {
  database = await startLocalDatabase("own");
});

afterAll(async () => {
  if (running) await database.stop();
});

/** Asks until the database has this state, because results are cached for half a second. */
async function until(state: string): Promise<Awaited<ReturnType<typeof readiness>>> {
  for (;;) {
    const found = await readiness();
    if (found.parts.database.state === state) return found;
  }
}

it("is not ready on a database that lacks a column this build reads", async () => {
  await asOwner((sql) => sql`alter table idempotency_keys rename column attempt to renamed`);
  expect((await until("not_migrated")).ready).toBe(false);
  await asOwner((sql) => sql`alter table idempotency_keys rename column renamed to attempt`);
  expect((await until("ok")).ready).toBe(true);
});

it("is ready while chains and worker are away, and the status says so", async () => {
  expect((await until("ok")).ready).toBe(true);
  const { ok, parts } = await serviceStatus();
  expect(ok).toBe(false);
  expect(parts).toMatchObject({
    database: { state: "ok" },
    worker: { state: "no_heartbeat" },
    chain_46630: { state: "unreachable" },
    contracts_4663: { state: "unreachable" },
  });
});

it("reports a payment that differs from the chain in the status, for its network alone", async () => {
  const address = `0x${"11".repeat(20)}` as const;
  const now = new Date();
  await db().insert(operations).values({
    id: "op_test",
    chainId: 4663,
    kind: "transfer",
    status: "confirmed",
    account: address,
    target: address,
    data: "0x",
    gas: 0n,
    deadline: now,
    relayer: address,
    createdAt: now,
    mismatch: "confirmed_not_executed",
  });
  let { parts } = await serviceStatus();
  while (parts.payments_4663?.state === "ok") ({ parts } = await serviceStatus());
  expect(parts).toMatchObject({ payments_46630: { state: "ok" }, payments_4663: { state: "mismatch" } });
});

it("is not ready while the connections by which it looks up API keys are silent, though others respond", async () => {
  await closeDb();
  const proxy = await startSilentProxy(process.env.DATABASE_URL ?? "");
  try {
    await withSettings({ DATABASE_URL: proxy.url }, async () => {
      await Promise.all([1, 2, 3, 4].map(() => shortRead("keys", (keys) => keys`select pg_sleep(0.1)`)));
      proxy.silence();
      expect(await sql()`select 1`).toHaveLength(1);
      expect((await until("unreachable")).ready).toBe(false);
      expect(await stuckMs()).toBeGreaterThan(1_000);
      // They are closed one after the other, and replaced.
      expect((await until("ok")).ready).toBe(true);
      while ((await stuckMs()) > 0);
    });
  } finally {
    await closeDb();
    await proxy.stop();
  }
});

it("is not ready while its database refuses writes, and is again once it takes one", async () => {
  const refuse = async (on: boolean) => {
    await sql().begin("read write", (tx) =>
      tx.unsafe(`alter role current_user set default_transaction_read_only = ${on}`),
    );
    await closeDb();
  };
  await refuse(true);
  const refused = await db()
    .insert(workerHeartbeats)
    .values({ workerId: "none", beatAt: new Date() })
    .catch((error: unknown) => error);
  expect(databaseAway(refused)).toMatchObject({ code: "unavailable" });
  expect((await until("read_only")).ready).toBe(false);
  let { parts } = await serviceStatus();
  while (parts.database?.state === "ok") ({ parts } = await serviceStatus());
  expect(parts.database).toEqual({ state: "read_only" });
  await refuse(false);
  expect(await takesWrites(0)).toBe(true);
  expect((await until("ok")).ready).toBe(true);
});

it("a worker is ready while its own heartbeat is recorded, and stuck once its loop is", async () => {
  const loop = { age: undefined as number | undefined, stuck: 0 };
  const server = await serveHealth(0, "127.0.0.1", { age: () => loop.age, stuckMs: () => loop.stuck });
  const { port } = server.address() as AddressInfo;
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, await response.json()] as const;
  };
  const late = [503, { status: "unavailable", parts: { worker: { state: "no_heartbeat" } } }];
  expect(await ask("/readyz")).toMatchObject(late);
  loop.age = 1;
  expect(await ask("/readyz")).toMatchObject([200, { status: "ready", parts: { worker: { state: "ok" } } }]);
  loop.age = 16;
  expect(await ask("/readyz")).toMatchObject(late);
  expect(await ask("/healthz")).toEqual([200, { status: "ok" }]);
  loop.stuck = 31_000;
  expect(await ask("/healthz")).toEqual([503, { status: "stuck" }]);
  server.close();
  server.closeAllConnections();
});

it("is not ready when it is about to stop", async () => {
  announceStop();
  expect(await readiness()).toMatchObject({ ready: false, parts: { process: { state: "stopping" } } });
});

it("is not ready without its database", async () => {
  await database.stop();
  running = false;
  expect((await until("unreachable")).ready).toBe(false);
  await closeDb();
});
