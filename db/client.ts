import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "@/lib/env";
import * as schema from "./schema/index";

export type Db = PostgresJsDatabase<typeof schema>;
/** A transaction: what `db().transaction` hands to its callback. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

// Next bundles routes separately: one pool per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & { halcyonDb?: { sql: postgres.Sql; db: Db } };

function connection() {
  if (!shared.halcyonDb) {
    const sql = postgres(env().databaseUrl, { max: 20, onnotice: () => {} });
    shared.halcyonDb = { sql, db: drizzle(sql, { schema }) };
  }
  return shared.halcyonDb;
}

/** The process's PostgreSQL pool. */
export const sql = (): postgres.Sql => connection().sql;

/** Drizzle over the same pool. */
export const db = (): Db => connection().db;

/** Ends the pool; for scripts and a process that stops. */
export async function closeDb(): Promise<void> {
  await shared.halcyonDb?.sql.end({ timeout: 5 });
  shared.halcyonDb = undefined;
}
