import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedRows } from "@/scripts/seed/seed-rows";
import { type LocalDatabase, startLocalDatabase } from "@/test/services/local-database";
import { readsOf } from "./reads";
import { place } from "./seeded";

const TRANSFERS = 4_000;
/** Tables that do not grow with payments: one row for each chain, process or day. */
const SMALL = [
  "audit_anchors",
  "audit_anchors_final",
  "chain_cursors",
  "ledger_domains",
  "relayers",
  "reservations",
  "webhook_queue",
  "worker_heartbeats",
];

let database: LocalDatabase;
let owner: postgres.Sql;
beforeAll(async () => {
  database = await startLocalDatabase();
  process.env.USDG_ADDRESS_46630 = place(0);
  owner = postgres(process.env.MIGRATION_DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  await seedRows(owner, { chainId: 46630, transfers: TRANSFERS });
});
afterAll(async () => {
  await owner?.end();
  await database?.stop();
});

test("a seed fills every table that grows", async () => {
  const tables = await owner<{ name: string }[]>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  const few: string[] = [];
  for (const { name } of tables) {
    const [row] = await owner<{ count: number }[]>`select count(*)::int as count from ${owner(name)}`;
    if ((row?.count ?? 0) < TRANSFERS / 100) few.push(name);
  }
  expect(few.filter((name) => !SMALL.includes(name))).toEqual([]);
});

test("every read of the bench finds something", async () => {
  const failed: Record<string, unknown> = {};
  for (const [name, read] of Object.entries(readsOf(TRANSFERS))) {
    const found = await read().catch(String);
    if (!(typeof found === "number" && found > 0)) failed[name] = found;
  }
  expect(failed).toEqual({});
});
