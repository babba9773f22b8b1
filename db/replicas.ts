import { randomUUID } from "node:crypto";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { env } from "@/lib/env";
import { log } from "@/lib/telemetry/log";
import { WorkValue } from "@/lib/work-value";
import { connect } from "./connect";
import { troubleOf } from "./database-away";
import { Gate, gated } from "./gate";
import { prepared } from "./prepared";
import * as schema from "./schema/index";
import { PLANNING, TIMEOUTS } from "./settings";

/** How long a replica that failed is not used. */
const AWAY_MS = 10_000;
/** How old the state of a replica may be for accounts that have changed nothing since. */
export const MAX_LAG_MS = 10_000;
const SAMPLE_MS = 1_000;
const CONNECT_SECONDS = 2;
/** Longer than any request takes, and than a replica that serves lists may lag. */
const LONGEST_WRITE = "15 minutes";

/** A position in PostgreSQL's write-ahead log. */
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

// Next.js bundles routes separately, so a module variable would give one pool per bundle. A global gives one per
// process.
const shared = globalThis as typeof globalThis & {
  halcyonReplicas?: Replica[];
  halcyonPrimarySamples?: { at: number; lsn: Lsn }[];
};
const reading = new WorkValue<Replica>("replica");
shared.halcyonPrimarySamples ??= [];
const samples = shared.halcyonPrimarySamples;

/** Returns the replica that the current work reads from; undefined for the primary. */
export const replicaInUse = (): Pick<Replica, "sql" | "db"> | undefined => reading.get();

function replicas(): Replica[] {
  const { databaseReplicas, databasePool } = env();
  shared.halcyonReplicas ??= databaseReplicas.map((url) => {
    const settings = { max: databasePool, connect_timeout: CONNECT_SECONDS, connection: { ...TIMEOUTS, ...PLANNING } };
    const sql = gated(connect(url, settings), new Gate(databasePool, Math.ceil(databasePool / 2)));
    return { sql, db: drizzle(prepared(sql), { schema }), awayUntil: 0 };
  });
  return shared.halcyonReplicas;
}

/** Reports whether any replica is configured. */
export const hasReplicas = (): boolean => env().databaseReplicas.length > 0;

/**
 * Records that a request is about to change something of an account. Until it has ended and a replica has its change,
 * the account's lists are read from the primary, also if this process dies between the commit and the end: a payment
 * whose response was lost must not be missing from the list that its payer reads next. Also removes what processes that
 * died have left, except what another request is just removing: two that waited for each other would be a deadlock. Does
 * nothing without replicas.
 *
 * @param primary a pool of the primary
 * @returns a function to call after the commit or the failure, before responding
 */
export async function beginWrite(primary: postgres.Sql, rootId: string): Promise<() => Promise<void>> {
  if (!hasReplicas()) return async () => {};
  const id = randomUUID();
  await primary`
    with died as (delete from open_writes where root_id = ${rootId} and id in (
      select id from open_writes where root_id = ${rootId} and expires_at < now() for update skip locked))
    insert into open_writes (root_id, id, expires_at) values (${rootId}, ${id}, now() + ${LONGEST_WRITE}::interval)`;
  return () => endWrite(primary, rootId, id);
}

async function endWrite(primary: postgres.Sql, rootId: string, id: string): Promise<void> {
  try {
    await primary`
      with ended as (delete from open_writes where root_id = ${rootId} and id = ${id})
      insert into last_writes (root_id, lsn) values (${rootId}, pg_current_wal_insert_lsn())
      on conflict (root_id) do update set lsn = excluded.lsn where last_writes.lsn < excluded.lsn`;
  } catch (error) {
    // The change itself has succeeded, so the request must not fail. It counts as open until it expires.
    log().warn({ err: error }, "the end of a write was not noted: its account's lists are read from the primary");
  }
}

/**
 * Reads from a replica that has all changes of the account and is not far behind, else from the primary. Also falls
 * back to the primary if the replica fails, so `read` must not write and may run twice.
 *
 * @param primary a pool of the primary
 */
export async function fromReplica<T>(primary: postgres.Sql, rootId: string, read: () => Promise<T>): Promise<T> {
  if (!hasReplicas()) return read();
  const needed = await neededFor(primary, rootId);
  const replica = needed && (await upToDate(needed));
  if (!replica) return read();
  try {
    return await reading.run(replica, read);
  } catch (error) {
    // Retry after a refusal as well, because the primary may have what the replica lacks. Only a replica that is
    // unreachable is left alone.
    if (troubleOf(error) === "away") leaveAlone(replica, error);
    return read();
  }
}

/** A required log position. Positions of different clusters can't be compared. */
interface Needed {
  cluster: string;
  lsn: Lsn;
}

/**
 * Returns the position that a replica must have reached: the account's last write, or the primary's position some
 * seconds ago, whichever is later. Returns undefined while a write of the account is open.
 */
async function neededFor(primary: postgres.Sql, rootId: string): Promise<Needed | undefined> {
  const asked = Date.now();
  const [row] = await primary<{ cluster: string; now: string; wrote: string | null; open: boolean }[]>`
    select (pg_control_system()).system_identifier::text as cluster, pg_current_wal_insert_lsn()::text as now,
      (select lsn::text from last_writes where root_id = ${rootId}) as wrote,
      exists (select from open_writes where root_id = ${rootId} and expires_at > now()) as open`;
  if (!row) throw new Error("PostgreSQL returned no position");
  const now = Date.now();
  // The clock was set back, so the samples' times are unknown.
  if ((samples.at(-1)?.at ?? 0) > now) samples.length = 0;
  if (asked - (samples.at(-1)?.at ?? 0) >= SAMPLE_MS) samples.push({ at: asked, lsn: lsnOf(row.now) });
  // The oldest sample that is young enough. After a start, or when no list was read for a while, that is the current
  // position.
  while (samples[0] && samples[0].at < now - MAX_LAG_MS) samples.shift();
  const lag = samples[0]?.lsn ?? lsnOf(row.now);
  if (row.open) return undefined;
  const wrote = row.wrote ? lsnOf(row.wrote) : 0n;
  return { cluster: row.cluster, lsn: wrote > lag ? wrote : lag };
}

/**
 * Returns a replica of the same cluster that has reached the position, trying them in random order. A promoted replica
 * is no longer used.
 */
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
      // If only the account's own share of connections is used up, the replica is fine.
      if (troubleOf(error) !== "busy") leaveAlone(replica, error);
    }
  }
  return undefined;
}

function leaveAlone(replica: Replica, error: unknown): void {
  replica.awayUntil = Date.now() + AWAY_MS;
  log().warn({ err: error }, "a replica did not serve; its lists are read from the primary");
}

/** Closes the pools. */
export async function closeReplicas(): Promise<void> {
  const pools = shared.halcyonReplicas ?? [];
  shared.halcyonReplicas = undefined;
  samples.length = 0;
  await Promise.all(pools.map(({ sql }) => sql.end({ timeout: 5 })));
}
