import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { shortRead, sql } from "@/db/client";
import * as schema from "@/db/schema/index";
import { takesWrites } from "@/db/takes-writes";
import { inTime, keptBriefly } from "./in-time";
import { isStopping } from "./stopping";

type DatabaseState = "ok" | "not_migrated" | "read_only";

/** Whether this process can serve requests, part by part. */
interface Readiness {
  ready: boolean;
  parts: {
    process: { state: "ok" | "stopping" };
    /**
     * `not_migrated`: tables or columns that this build reads are missing, so the database has to be migrated first.
     * `read_only`: it refuses writes, because its disk is full or fails, or it has become a replica.
     */
    database: { state: DatabaseState | "unreachable" };
  };
}

let migrated = false;

/** Reports whether all columns that this build knows exist. A positive result is final: migrations only go forwards. */
async function fits(): Promise<boolean> {
  if (migrated) return true;
  const rows = await sql()<{ name: string }[]>`
    select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`;
  const there = new Set(rows.map(({ name }) => name));
  const tables = Object.values(schema).filter((part) => part instanceof PgTable);
  migrated = tables.every((table) => {
    const { name, columns } = getTableConfig(table);
    return columns.every((column) => there.has(`${name}.${column.name}`));
  });
  return migrated;
}

/**
 * Asks the database over each pool that requests use.
 *
 * @throws an error of the driver if it can't be reached over one of them
 */
export async function databaseState(): Promise<DatabaseState> {
  await Promise.all([
    sql()`select 1`,
    shortRead("keys", (keys) => keys`select 1`),
    shortRead("rows", (rows) => rows`select 1`),
  ]);
  if (!(await fits())) return "not_migrated";
  return (await takesWrites()) ? "ok" : "read_only";
}

const latest = keptBriefly(() => inTime(databaseState()));

/**
 * Reports whether requests should be sent to this process: its database responds, is migrated and takes writes, and
 * the process is not about to stop. Chains and workers don't count (see `serviceStatus`): payments are accepted without them, and no
 * other process would be better off. Returns within about two seconds.
 */
export async function readiness(): Promise<Readiness> {
  const state = await latest();
  const stopping = isStopping();
  return {
    ready: state === "ok" && !stopping,
    parts: { process: { state: stopping ? "stopping" : "ok" }, database: { state } },
  };
}
