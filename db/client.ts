import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { env } from "@/lib/env";
import * as schema from "./schema/index";

export type Db = PostgresJsDatabase<typeof schema>;
/** A transaction: what `db().transaction` hands to its callback. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

// Next bundles routes separately: one pool per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & {
  halcyonDb?: { sql: postgres.Sql; db: Db };
  halcyonRelaxed?: postgres.Sql;
};

function connection() {
  if (!shared.halcyonDb) {
    const sql = postgres(env().databaseUrl, { max: 20, onnotice: () => {} });
    shared.halcyonDb = { sql, db: drizzle(prepared(sql), { schema }) };
  }
  return shared.halcyonDb;
}

/**
 * Drizzle hands its queries to `unsafe`, which has PostgreSQL parse each of them anew and waits for that. Their text is
 * fixed and all values are parameters: prepared once per connection, each costs one round trip.
 */
function prepared<C extends postgres.Sql | postgres.TransactionSql>(client: C): C {
  return new Proxy(client, {
    get(target, name) {
      if (name === "unsafe") {
        const unsafe: postgres.Sql["unsafe"] = (query, values, options) =>
          target.unsafe(query, values, { prepare: true, ...options });
        return unsafe;
      }
      if (name === "begin" && "begin" in target) {
        return (work: (tx: postgres.TransactionSql) => unknown) => target.begin((tx) => work(prepared(tx)));
      }
      return Reflect.get(target, name);
    },
  });
}

/** The process's PostgreSQL pool. */
export const sql = (): postgres.Sql => connection().sql;

/** Drizzle over the same pool. */
export const db = (): Db => connection().db;

/**
 * A small pool whose commits do not wait for the disk. Only for what may safely be forgotten when PostgreSQL's machine
 * dies: the outcome of a webhook's attempt, which is then made again.
 */
export function relaxedSql(): postgres.Sql {
  shared.halcyonRelaxed ??= postgres(env().databaseUrl, {
    max: 4,
    onnotice: () => {},
    connection: { synchronous_commit: "off" },
  });
  return shared.halcyonRelaxed;
}

/** Ends the pools; for scripts and a process that stops. */
export async function closeDb(): Promise<void> {
  await Promise.all([shared.halcyonDb?.sql.end({ timeout: 5 }), shared.halcyonRelaxed?.end({ timeout: 5 })]);
  shared.halcyonDb = undefined;
  shared.halcyonRelaxed = undefined;
}
