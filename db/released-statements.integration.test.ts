import { readFileSync, writeFileSync } from "node:fs";
import type postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { asOwner } from "@/test/services/as-owner";
import { startLocalDatabase } from "@/test/services/local-database";

/*
 * The SQL statements of the previous version. It runs next to this one during a rollout, on the schema of the newest
 * migration, so each of its statements must find its tables, columns, types and unique keys there. docs/database.md
 * says how to renew the list for a release.
 */
const FILE = "db/released-statements.json";
/**
 * A file with the statements of a test run, one JSON text per line. If set, this test writes the list of those that are
 * valid on this schema.
 */
const { HALCYON_STATEMENTS: recorded } = process.env;

let database: { stop(): Promise<void> };
beforeAll(async () => {
  database = await startLocalDatabase();
});
afterAll(() => database?.stop());

const statements = (): string[] => JSON.parse(readFileSync(FILE, "utf8")) as string[];

/**
 * Returns what is wrong with statements. PostgreSQL plans them without running them; a fault is a missing name, or an
 * insert that leaves out a required column.
 */
async function faultsOf(texts: readonly string[], sql: postgres.TransactionSql): Promise<Record<string, string>> {
  const faults: Record<string, string> = {};
  const required = await sql<{ name: string; column: string }[]>`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and is_nullable = 'NO' and column_default is null and is_identity = 'NO'
      and is_generated = 'NEVER'`;
  for (const text of texts) {
    const [, table, columns = ""] = /^insert into "?(\w+)"? \(([^)]*)\)/i.exec(text) ?? [];
    const named = columns.split(",").map((one) => one.trim().replaceAll('"', ""));
    const missing = required.filter(({ name, column }) => name === table && !named.includes(column));
    if (missing.length > 0) faults[text] = `leaves out ${missing.map(({ column }) => column).join(", ")}`;
    await sql
      .savepoint((point) => point.unsafe(`explain (generic_plan) ${text}`))
      .catch((error: Error) => {
        faults[text] = error.message;
      });
  }
  return faults;
}

/** Returns the faults after a change of the schema, which is rolled back. */
async function faultsAfter(change: string | undefined, texts: readonly string[]): Promise<Record<string, string>> {
  const undo = new Error("undo");
  let faults: Record<string, string> = {};
  const looking = asOwner((owner) =>
    owner.begin(async (tx) => {
      if (change) await tx.unsafe(change);
      faults = await faultsOf(texts, tx);
      throw undo;
    }),
  );
  await looking.catch((error) => {
    if (error !== undo) throw error;
  });
  return faults;
}

test.skipIf(recorded)("each statement of the version before finds what it needs on the newest schema", async () => {
  expect(statements().length).toBeGreaterThan(200);
  expect(await faultsAfter(undefined, statements())).toEqual({});
});

test.skipIf(recorded).each([
  ["a column that is gone", "alter table webhooks rename column url to address"],
  ["a table that is gone", "alter table operations rename to works"],
  ["a column of another type", "alter table transfers alter column batch_index type text using ''"],
  ["a unique key that is gone", "alter table relay_usage drop constraint relay_usage_chain_id_account_day_pk"],
  ["a column that has to be set", "alter table operations add column colour text not null"],
])("%s is found", async (_, change) => {
  const [, , table = ""] = change.split(" ");
  const concerned = statements().filter((text) => text.includes(table));
  expect(Object.keys(await faultsAfter(change, concerned))).not.toEqual([]);
});

test.runIf(recorded)("writes the list", async () => {
  const lines = readFileSync(recorded ?? "", "utf8")
    .split("\n")
    .filter(Boolean);
  const texts = new Set(lines.map((line) => String(JSON.parse(line)).replace(/\s+/g, " ").trim()));
  const kinds = /^(select|insert|update|delete|with)\b/i;
  // Statements of tests themselves, and queries about PostgreSQL.
  const own = /\b(kept_|pg_\w+|information_schema|drizzle\.)/;
  const candidates = [...texts].filter((text) => kinds.test(text) && !own.test(text) && text.length < 20_000);
  const faults = await faultsAfter(undefined, candidates);
  const good = candidates.filter((text) => faults[text] === undefined).toSorted();
  writeFileSync(FILE, `${JSON.stringify(good, null, 2)}\n`);
  expect(good.length).toBeGreaterThan(200);
});
