import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { sql } from "@/db/client";
import * as schema from "@/db/schema/index";
import { inTime, keptBriefly } from "./in-time";
import { isStopping } from "./stopping";

/** Whether this process can serve requests, part by part. */
interface Readiness {
  ready: boolean;
  parts: {
    process: { state: "ok" | "stopping" };
    /**
     * `not_migrated`: tables or columns that this build reads are missing, so the database has to be migrated first.
     */
    database: { state: "ok" | "not_migrated" | "unreachable" };
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

async function database(): Promise<"ok" | "not_migrated"> {
  await sql()`select 1`;
  return (await fits()) ? "ok" : "not_migrated";
}

const databaseState = keptBriefly(() => inTime(database()));

/**
 * Reports whether requests should be sent to this process: its database responds and is migrated, and the process is
 * not about to stop. Chains and workers don't count (see `serviceStatus`): payments are accepted without them, and no
 * other process would be better off. Returns within about two seconds.
 */
export async function readiness(): Promise<Readiness> {
  const state = await databaseState();
  const stopping = isStopping();
  return {
    ready: state === "ok" && !stopping,
    parts: { process: { state: stopping ? "stopping" : "ok" }, database: { state } },
  };
}
