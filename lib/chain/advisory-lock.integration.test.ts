import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { db, withoutTimeouts } from "@/db/client";
import { program } from "@/scripts/stack/program";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { holdingChainLock, tryChainLock } from "./advisory-lock";

vi.mock("@/db/settings", async (load) => ({
  ...(await load<typeof import("@/db/settings")>()),
  // Far apart: a busy machine may be late with a beat, but not by this much.
  HOLDER: { idleMs: 2_000, beatMs: 100 },
}));

const CHAIN = 46630;
let database: LocalDatabase;

beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

/** Ends the connections that hold advisory locks. */
const endLocks = () =>
  asOwner(
    (sql) => sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`,
  );

test("work that holds a lock learns that it is lost before it goes on, and has ended when that is reported", async () => {
  const looks: string[] = [];
  const outcome = holdingChainLock("sweep", CHAIN, async (stillHeld) => {
    await stillHeld();
    looks.push("held");
    expect(await holdingChainLock("sweep", CHAIN, async () => {})).toBe(false);
    await endLocks();
    await expect.poll(() => holdingChainLock("sweep", CHAIN, async () => {})).toBe(true);
    await stillHeld().catch(() => looks.push("lost"));
  });
  await expect(outcome).rejects.toThrow();
  expect(looks).toEqual(["held", "lost"]);
});

/** Stops this process for longer than a holder of a lock may be idle. */
const freeze = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000);
/** Works on something else than the database for as long. */
const workElsewhere = () => new Promise((resolve) => setTimeout(resolve, 3_000));

test.each<[string, (work: (stillHeld: () => Promise<unknown>) => Promise<void>) => Promise<unknown>]>([
  ["a lock with a connection of its own", (work) => holdingChainLock("sweep", CHAIN, work)],
  [
    "a transaction's lock",
    (work) =>
      db().transaction(async (tx) => {
        expect(await tryChainLock(tx, "index", CHAIN)).toBe(true);
        await work(() => tx.execute("select 1"));
      }),
  ],
  [
    "a transaction without time limits",
    (work) =>
      db().transaction(async (tx) => {
        await withoutTimeouts(tx);
        await work(() => tx.execute("select 1"));
      }),
  ],
])("%s is kept by a process that works, and not by one that was frozen", async (_, holding) => {
  await holding(async (stillHeld) => {
    await workElsewhere();
    await stillHeld();
  });
  let lost = false;
  const frozen = holding(async (stillHeld) => {
    freeze();
    await stillHeld().catch(() => {
      lost = true;
    });
  });
  await expect(frozen).rejects.toThrow();
  expect(lost).toBe(true);
});

/** Starts a process that holds a lock, with the limits of a service. Returns what it says next. */
async function holder() {
  const child = spawn(process.execPath, [await program("test/chain/hold-lock.ts")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, says: async () => (await lines.next()).value };
}

test("a stopped process loses its lock to another one, and learns of it when it goes on", async () => {
  const { child, says } = await holder();
  try {
    expect(await says()).toBe("held");
    const take = () => holdingChainLock("sweep", CHAIN, async () => {});
    expect(await take()).toBe(false);
    child.kill("SIGSTOP");
    await expect.poll(take, { timeout: 60_000, interval: 500 }).toBe(true);
    child.kill("SIGCONT");
    child.stdin.end();
    expect(await says()).toBe("lost");
  } finally {
    child.kill("SIGKILL");
  }
}, 90_000);

test("a process that was not stopped still holds its lock", async () => {
  const { child, says } = await holder();
  try {
    expect(await says()).toBe("held");
    child.stdin.end();
    expect(await says()).toBe("kept");
  } finally {
    child.kill("SIGKILL");
  }
});
