import { sql as sqlText } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { env } from "@/lib/base/env";
import { gauge } from "@/lib/base/telemetry/record";
import { connect } from "./connect";
import { Gate, gated, isSharedQueryRefused, neverIdle, withoutDeadline } from "./gate";
import { Pulse } from "./pulse";
import * as schema from "./schema/index";
import { HOLDER, PLANNING, TIMEOUTS, WHOLE_TABLES } from "./settings";

type Db = PostgresJsDatabase<typeof schema>;
/** A transaction, as `db().transaction` passes it to its callback. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

interface Pool {
  sql: postgres.Sql;
  db: Db;
  gate: Gate;
  pulse: Pulse;
}

// Next.js bundles routes separately, so a module variable would give one pool per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & {
  halcyonDb?: Pool;
  halcyonRelaxed?: postgres.Sql;
  halcyonShortReads?: Partial<Record<keyof typeof SHORT_READS, Pool>>;
  halcyonLocks?: postgres.Sql;
  halcyonLifeline?: { sql: postgres.Sql; onEnd: () => void };
};

const RELAXED = 4;

/**
 * The connections for short reads. Keys have two of their own, so that nothing that holds up other reads holds up
 * authentication, and neither does one connection that goes silent.
 */
const SHORT_READS = { keys: 2, rows: 2 } as const;
/** How many short reads of a kind are under way at once. */
const SHORT_AT_ONCE = 64;

const CONNECT_SECONDS = 5;

function pool(max: number, settings: Record<string, string> = {}): postgres.Sql {
  return connect(env().databaseUrl, {
    max,
    connect_timeout: CONNECT_SECONDS,
    connection: { ...TIMEOUTS, ...PLANNING, ...settings },
  });
}

function connection(): Pool {
  if (!shared.halcyonDb) {
    const { databasePool } = env();
    // At most half of the pool for one account, so that a slow account doesn't keep everyone else waiting.
    const gate = new Gate(databasePool, Math.ceil(databasePool / 2));
    const own = pool(databasePool);
    const sql = gated(own, gate);
    gauge("halcyon.database.connections", () => {
      const { running, waiting } = gate.load();
      return [
        [running, { state: "in_use" }],
        [waiting, { state: "waiting" }],
      ];
    });
    shared.halcyonDb = { sql, gate, db: drizzle(prepared(sql), { schema }), pulse: new Pulse(own) };
  }
  return shared.halcyonDb;
}

/** Returns the process's PostgreSQL pool. */
export const sql = (): postgres.Sql => connection().sql;

/** Returns Drizzle over the same pool. */
export const db = (): Db => connection().db;

/**
 * Returns a small pool whose commits don't wait for the disk. Use it only for writes that may be lost if PostgreSQL's
 * machine crashes, such as the result of a webhook attempt, which is then made again.
 */
export function relaxedSql(): postgres.Sql {
  shared.halcyonRelaxed ??= gated(pool(RELAXED, { synchronous_commit: "off" }), new Gate(RELAXED));
  return shared.halcyonRelaxed;
}

/**
 * Runs a read of the kind that most requests consist of. It is sent while others are under way, so many of them are one
 * write to a socket. Those writes would otherwise cost a process more than all else about its reads. A read that takes
 * long holds up the others, so use this only for prepared statements that find a few rows by an index. May run it twice.
 *
 * @param read gets the driver, and Drizzle over it
 */
export async function shortRead<T>(
  of: keyof typeof SHORT_READS,
  read: (sql: postgres.Sql, db: Db) => PromiseLike<T>,
): Promise<T> {
  const used = shortReads(of);
  try {
    return await read(used.sql, used.db);
  } catch (error) {
    const isRefused = isSharedQueryRefused(error);
    const isReplaced = shared.halcyonShortReads?.[of] !== used;
    if (!isRefused && !isReplaced) throw error;
    const result = await read(sql(), db());
    // It works elsewhere, so its statement was stale.
    if (isRefused) replaceShortReads(of, used);
    return result;
  }
}

function shortReads(of: keyof typeof SHORT_READS): Pool {
  shared.halcyonShortReads ??= {};
  const known = shared.halcyonShortReads[of];
  if (known) return known;
  const gate = new Gate(SHORT_AT_ONCE, SHORT_AT_ONCE / 2);
  const own = pool(SHORT_READS[of]);
  const sql = gated(own, gate, true);
  const created = { gate, sql, db: drizzle(prepared(sql), { schema }), pulse: new Pulse(own) };
  shared.halcyonShortReads[of] = created;
  return created;
}

/** Ends connections whose statements may be stale; the next read opens others. */
function replaceShortReads(of: keyof typeof SHORT_READS, used: { sql: postgres.Sql }): void {
  if (shared.halcyonShortReads?.[of] !== used) return;
  delete shared.halcyonShortReads[of];
  used.sql.end({ timeout: CONNECT_SECONDS }).catch(() => {});
}

/**
 * Returns a pool of four connections, two per chain, for holding advisory locks while work continues on the main pool.
 * It is separate, so that waiting for the main pool never means waiting for a lock. Its transactions need a `beat`.
 */
export function lockSql(): postgres.Sql {
  shared.halcyonLocks ??= pool(4, { idle_in_transaction_session_timeout: String(HOLDER.idleMs) });
  return shared.halcyonLocks;
}

/**
 * Returns one connection that stays open as long as this process lives. However the process ends, its advisory locks
 * end with the connection.
 *
 * @param onEnd called when the connection is lost; the next query opens a new one
 */
export function processConnection(onEnd: () => void): postgres.Sql {
  shared.halcyonLifeline ??= {
    onEnd,
    sql: connect(env().databaseUrl, {
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      onclose: () => shared.halcyonLifeline?.onEnd(),
      connection: TIMEOUTS,
    }),
  };
  shared.halcyonLifeline.onEnd = onEnd;
  return shared.halcyonLifeline.sql;
}

/**
 * Returns for how many milliseconds the process's pool, or one of its short reads, has been of no use: its callers get
 * no connection, or none of its connections responds. 0 while all are. Asks each, and returns within two seconds.
 */
export async function stuckMs(): Promise<number> {
  const { halcyonDb, halcyonShortReads = {} } = shared;
  const pools = [halcyonDb, ...Object.values(halcyonShortReads)].filter((used) => used !== undefined);
  const each = pools.map(async ({ gate, pulse }) => Math.max(gate.starvedMs(), await pulse.silentMs()));
  return Math.max(0, ...(await Promise.all(each)));
}

/**
 * Removes the time limits from the rest of a transaction and lets it read whole tables. For the worker and scripts,
 * where no one waits for a response. A process that is frozen meanwhile loses it ({@link HOLDER}).
 */
export async function withoutTimeouts(tx: Tx): Promise<void> {
  withoutDeadline();
  neverIdle();
  const settings = {
    ...Object.fromEntries(Object.keys(TIMEOUTS).map((name) => [name, "0"])),
    idle_in_transaction_session_timeout: String(HOLDER.idleMs),
    ...WHOLE_TABLES,
  };
  await tx.execute(
    sqlText`select ${sqlText.join(
      Object.entries(settings).map(([name, value]) => sqlText`set_config(${name}, ${value}, true)`),
      sqlText`, `,
    )}`,
  );
}

/** Closes the pools. For scripts and a process that stops. */
export async function closeDb(): Promise<void> {
  const { halcyonDb, halcyonShortReads = {}, halcyonRelaxed, halcyonLocks, halcyonLifeline } = shared;
  const pools = [
    halcyonDb?.sql,
    ...Object.values(halcyonShortReads).map(({ sql }) => sql),
    halcyonRelaxed,
    halcyonLocks,
    halcyonLifeline?.sql,
  ];
  await Promise.all(pools.map((sql) => sql?.end({ timeout: 5 })));
  shared.halcyonDb = undefined;
  shared.halcyonRelaxed = undefined;
  shared.halcyonShortReads = undefined;
  shared.halcyonLocks = undefined;
  shared.halcyonLifeline?.onEnd();
  shared.halcyonLifeline = undefined;
}

/**
 * Makes drizzle's queries use prepared statements. Drizzle passes them to `unsafe` without asking for preparation, so
 * PostgreSQL would parse each one again while the driver waits. Their text is fixed and all values are parameters.
 * Prepared once per connection, each costs one round trip, and none waits for the one before it.
 */
function prepared<C extends postgres.Sql | postgres.TransactionSql>(client: C): C {
  return new Proxy(client, {
    get(target, name) {
      if (name === "unsafe") {
        const unsafe: postgres.Sql["unsafe"] = (query, values, options) =>
          target.unsafe(query, values, { ...options, prepare: true });
        return unsafe;
      }
      if (name === "begin" && "begin" in target) {
        return (work: (tx: postgres.TransactionSql) => unknown) => target.begin((tx) => work(prepared(tx)));
      }
      if (name === "savepoint" && "savepoint" in target) {
        return (work: (tx: postgres.TransactionSql) => unknown) => target.savepoint((tx) => work(prepared(tx)));
      }
      return Reflect.get(target, name);
    },
  });
}
