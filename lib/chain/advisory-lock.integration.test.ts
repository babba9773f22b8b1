import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner } from "@/test/services/as-owner";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { holdingChainLock } from "./advisory-lock";

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
