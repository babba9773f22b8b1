import { afterAll, beforeAll, expect, it } from "vitest";
import { closeDb, db } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { readiness } from "./readiness";
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
