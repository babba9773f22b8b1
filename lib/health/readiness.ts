import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { sql } from "@/db/client";
import * as schema from "@/db/schema/index";
import { inTime, keptBriefly } from "./in-time";
import { isStopping } from "./stopping";

/** Whether this process can serve, and what of it cannot. */
interface Readiness {
  ready: boolean;
  parts: {
    process: { state: "ok" | "stopping" };
    /** `not_migrated`: it lacks what this build reads; it is to be migrated first. */
    database: { state: "ok" | "not_migrated" | "unreachable" };
  };
}

let migrated = false;

/** The columns this build knows are there. Migrations go forwards only: what was there once stays. */
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
 * Whether requests are to be sent to this process: its database responds and has what this build reads, and it is not
 * about to stop. Chains and worker do not count (`serviceStatus`): payments are accepted without them, and
 * no other process would be better off. Returns within about two seconds.
 */
export async function readiness(): Promise<Readiness> {
  const state = await databaseState();
  const stopping = isStopping();
  return {
    ready: state === "ok" && !stopping,
    parts: { process: { state: stopping ? "stopping" : "ok" }, database: { state } },
  };
}
