import { AsyncLocalStorage } from "node:async_hooks";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { connect } from "./connect";
import { troubleOf } from "./database-away";
import { Gate, gated } from "./gate";
import { prepared } from "./prepared";
import * as schema from "./schema/index";
import { PLANNING, TIMEOUTS } from "./settings";

/** A replica that did not serve is not asked again for so long. */
const AWAY_MS = 10_000;
/** How old the primary's state may be that a replica shows to those who have changed nothing since. */
export const MAX_LAG_MS = 10_000;
const SAMPLE_MS = 1_000;
const CONNECT_SECONDS = 2;

/** A place in PostgreSQL's write-ahead log. */
type Lsn = bigint;
const lsnOf = (text: string): Lsn => {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
};

interface Replica {
  sql: postgres.Sql;
  db: PostgresJsDatabase<typeof schema>;
  awayUntil: number;
}

// Next bundles routes separately: one pool per process wants a place outside the modules.
const shared = globalThis as typeof globalThis & {
  halcyonReplicas?: Replica[];
  halcyonReading?: AsyncLocalStorage<Replica>;
  halcyonPrimarySamples?: { at: number; lsn: Lsn }[];
};
shared.halcyonReading ??= new AsyncLocalStorage();
const reading = shared.halcyonReading;
shared.halcyonPrimarySamples ??= [];
const samples = shared.halcyonPrimarySamples;

/** The replica that the present work reads from; undefined: the primary. */
export const replicaInUse = (): Pick<Replica, "sql" | "db"> | undefined => reading.getStore();

function replicas(): Replica[] {
  const { databaseReplicas, databasePool } = env();
  shared.halcyonReplicas ??= databaseReplicas.map((url) => {
    const settings = { max: databasePool, connect_timeout: CONNECT_SECONDS, connection: { ...TIMEOUTS, ...PLANNING } };
    const sql = gated(connect(url, settings), new Gate(databasePool, Math.ceil(databasePool / 2)));
    return { sql, db: drizzle(prepared(sql), { schema }), awayUntil: 0 };
  });
  return shared.halcyonReplicas;
}

/** Whether any replica is configured. */
export const hasReplicas = (): boolean => env().databaseReplicas.length > 0;

/**
 * Notes that the account has changed something that is committed: until a replica has got so far, its lists are read
 * from the primary. Call it after the commit, before the caller hears of it. Nothing without replicas.
 *
 * @param primary a pool of the primary
 */
export async function noteWrite(primary: postgres.Sql, rootId: string): Promise<void> {
  if (!hasReplicas()) return;
  try {
    await primary`
      insert into last_writes (root_id, lsn) values (${rootId}, pg_current_wal_insert_lsn())
      on conflict (root_id) do update set lsn = excluded.lsn where last_writes.lsn < excluded.lsn`;
  } catch (error) {
    // What was asked for is done: it is no failure of the request.
    log().error({ err: error }, "a write was not noted: a list may be read from a replica that lacks it");
  }
}

/**
 * Reads from a replica that has everything the account has changed and is not far behind; else, and wherever one fails,
 * from the primary. `read` writes nothing and may run twice.
 *
 * @param primary a pool of the primary
 */
export async function fromReplica<T>(primary: postgres.Sql, rootId: string, read: () => Promise<T>): Promise<T> {
  if (!hasReplicas()) return read();
  const replica = await upToDate(await neededFor(primary, rootId));
  if (!replica) return read();
  try {
    return await reading.run(replica, read);
  } catch (error) {
    // A refusal too: what it lacks may be there meanwhile. Only one that broke off is no use to others.
    if (troubleOf(error) === "away") leaveAlone(replica, error);
    return read();
  }
}

/** Places in the logs of two clusters say nothing of each other. */
interface Needed {
  cluster: string;
  lsn: Lsn;
}

/** Up to where a replica must have got: the account's last write, and the primary of some seconds ago. */
async function neededFor(primary: postgres.Sql, rootId: string): Promise<Needed> {
  const asked = Date.now();
  const [row] = await primary<{ cluster: string; now: string; wrote: string | null }[]>`
    select (pg_control_system()).system_identifier::text as cluster, pg_current_wal_insert_lsn()::text as now,
      (select lsn::text from last_writes where root_id = ${rootId}) as wrote`;
  if (!row) throw new Error("PostgreSQL returned no position");
  const now = Date.now();
  // The clock was set back: when they were taken is not known.
  if ((samples.at(-1)?.at ?? 0) > now) samples.length = 0;
  if (asked - (samples.at(-1)?.at ?? 0) >= SAMPLE_MS) samples.push({ at: asked, lsn: lsnOf(row.now) });
  // The oldest that is young enough. After the start, or where no list was read for a while, that is the one of now.
  while (samples[0] && samples[0].at < now - MAX_LAG_MS) samples.shift();
  const lag = samples[0]?.lsn ?? lsnOf(row.now);
  const wrote = row.wrote ? lsnOf(row.wrote) : 0n;
  return { cluster: row.cluster, lsn: wrote > lag ? wrote : lag };
}

/** One of the same cluster that has got so far, tried in random order; a promoted one is none any more. */
async function upToDate(needed: Needed): Promise<Replica | undefined> {
  const all = replicas();
  const first = Math.floor(Math.random() * all.length);
  for (let i = 0; i < all.length; i++) {
    const replica = all[(first + i) % all.length];
    if (!replica || replica.awayUntil > Date.now()) continue;
    try {
      const [row] = await replica.sql<{ cluster: string; replayed: string | null }[]>`
        select (pg_control_system()).system_identifier::text as cluster,
          case when pg_is_in_recovery() then pg_last_wal_replay_lsn() end::text as replayed`;
      if (row && row.cluster !== needed.cluster) throw new Error("it is no replica of the database in DATABASE_URL");
      if (row?.replayed && lsnOf(row.replayed) >= needed.lsn) return replica;
    } catch (error) {
      // An account that waits behind itself says nothing of it.
      if (troubleOf(error) !== "busy") leaveAlone(replica, error);
    }
  }
  return undefined;
}

function leaveAlone(replica: Replica, error: unknown): void {
  replica.awayUntil = Date.now() + AWAY_MS;
  log().warn({ err: error }, "a replica did not serve; its lists are read from the primary");
}

/** Ends the pools. */
export async function closeReplicas(): Promise<void> {
  const pools = shared.halcyonReplicas ?? [];
  shared.halcyonReplicas = undefined;
  samples.length = 0;
  await Promise.all(pools.map(({ sql }) => sql.end({ timeout: 5 })));
}
