import { sql as sqlText } from "drizzle-orm";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { env } from "@/lib/env";
import { gauge } from "@/lib/telemetry/record";
import { connect } from "./connect";
import { Gate, gated } from "./gate";
import { prepared } from "./prepared";
import { closeReplicas, fromReplica, noteWrite, replicaInUse } from "./replicas";
import * as schema from "./schema/index";
import { PLANNING, TIMEOUTS, WHOLE_TABLES } from "./settings";

type Db = PostgresJsDatabase<typeof schema>;
/** A transaction: what `db().transaction` hands to its callback. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

interface Pool {
  sql: postgres.Sql;
  db: Db;
  gate: Gate;
}

// Next bundles routes separately: one pool per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & {
  halcyonDb?: Pool;
  halcyonRelaxed?: postgres.Sql;
  halcyonLocks?: postgres.Sql;
  halcyonLifeline?: { sql: postgres.Sql; onEnd: () => void };
};

const RELAXED = 4;

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
    // Half for one account at most: what its requests wait for must not become what everyone waits for.
    const gate = new Gate(databasePool, Math.ceil(databasePool / 2));
    const sql = gated(pool(databasePool), gate);
    gauge("halcyon.database.connections", () => {
      const { running, waiting } = gate.load();
      return [
        [running, { state: "in_use" }],
        [waiting, { state: "waiting" }],
      ];
    });
    shared.halcyonDb = { sql, gate, db: drizzle(prepared(sql), { schema }) };
  }
  return shared.halcyonDb;
}

/** The process's PostgreSQL pool; within {@link readingLists}, a replica's. */
export const sql = (): postgres.Sql => (replicaInUse() ?? connection()).sql;

/** Drizzle over the same pool. */
export const db = (): Db => (replicaInUse() ?? connection()).db;

/** Runs what reads a list of an account and writes nothing, maybe twice: on a replica where one will do. */
export const readingLists = <T>(rootId: string, read: () => Promise<T>): Promise<T> =>
  fromReplica(connection().sql, rootId, read);

/** To be called after an account's change has committed: the lists it reads then are not older. */
export const wroteSomething = (rootId: string): Promise<void> => noteWrite(connection().sql, rootId);

/**
 * A small pool whose commits do not wait for the disk. Only for what may safely be forgotten when PostgreSQL's machine
 * dies: the outcome of a webhook's attempt, which is then made again.
 */
export function relaxedSql(): postgres.Sql {
  shared.halcyonRelaxed ??= gated(pool(RELAXED, { synchronous_commit: "off" }), new Gate(RELAXED));
  return shared.halcyonRelaxed;
}

/**
 * Connections that hold advisory locks while work continues through the pool, four of them: two per chain. They are no
 * part of the pool, so that waiting for the pool never waits for them.
 */
export function lockSql(): postgres.Sql {
  // The work done meanwhile may take long.
  shared.halcyonLocks ??= pool(4, { idle_in_transaction_session_timeout: "0" });
  return shared.halcyonLocks;
}

/**
 * One connection that stays for as long as this process lives: whose end, in whatever way, ends the advisory locks it
 * holds. A machine that loses its power or its network counts as dead after 20 s.
 *
 * @param onEnd called when the connection is lost; the next query makes a new one
 */
export function lifeline(onEnd: () => void): postgres.Sql {
  shared.halcyonLifeline ??= {
    onEnd,
    sql: connect(env().databaseUrl, {
      max: 1,
      max_lifetime: null,
      connect_timeout: CONNECT_SECONDS,
      onclose: () => shared.halcyonLifeline?.onEnd(),
      connection: { ...TIMEOUTS, tcp_keepalives_idle: 5, tcp_keepalives_interval: 5, tcp_keepalives_count: 3 },
    }),
  };
  shared.halcyonLifeline.onEnd = onEnd;
  return shared.halcyonLifeline.sql;
}

/** For how long this process has got no connection although it wanted one. Milliseconds; 0 while it gets some. */
export function starvedMs(): number {
  return shared.halcyonDb?.gate.starvedMs() ?? 0;
}

/**
 * Lets the rest of a transaction of the worker or a script take its time and read whole tables; no one waits for a
 * response there.
 */
export async function unhurried(tx: Tx): Promise<void> {
  const settings = { ...Object.fromEntries(Object.keys(TIMEOUTS).map((name) => [name, "0"])), ...WHOLE_TABLES };
  await tx.execute(
    sqlText`select ${sqlText.join(
      Object.entries(settings).map(([name, value]) => sqlText`set_config(${name}, ${value}, true)`),
      sqlText`, `,
    )}`,
  );
}

/** Ends the pools; for scripts and a process that stops. */
export async function closeDb(): Promise<void> {
  const pools = [shared.halcyonDb?.sql, shared.halcyonRelaxed, shared.halcyonLocks, shared.halcyonLifeline?.sql];
  await Promise.all([...pools.map((sql) => sql?.end({ timeout: 5 })), closeReplicas()]);
  shared.halcyonDb = undefined;
  shared.halcyonRelaxed = undefined;
  shared.halcyonLocks = undefined;
  shared.halcyonLifeline?.onEnd();
  shared.halcyonLifeline = undefined;
}
