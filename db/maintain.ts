import type postgres from "postgres";
import { againWhenLocked } from "./again-when-locked";
import { connect } from "./connect";
import { dropPartition } from "./drop-partition";
import {
  boundAt,
  PARTITIONED_TABLES,
  type Partition,
  type PartitionedTable,
  readPartitions,
  startOfMonth,
  timeOfId,
} from "./partitions";
import { roleOf } from "./roles";

/** How many months ahead partitions are created, which is how long `npm run maintain` can be left out. */
const AHEAD = 3;
/**
 * How long one attempt may wait for a lock, because every other user of the table queues behind it. Longer than
 * `deadlock_timeout` (1 s), after which PostgreSQL cancels an autovacuum that is in the way.
 */
const LOCK_MS = 1_500;
/**
 * Growing pauses between attempts, so that a long reader such as a backup does not make us block everyone again and
 * again.
 */
const PAUSES_MS = [10_000, 20_000, 30_000];
/**
 * How far this machine's clock and the database's may differ. Partitions dropped because of a wrong clock can't be
 * recovered.
 */
const CLOCKS_MS = 10 * 60_000;
const DAY = 86_400_000;

/** The minimum time for which rows are kept; null: forever. Rows are dropped by whole months. */
interface Retention {
  eventDays: number | null;
  auditDays: number | null;
}

/** What a run has done. `created` and `dropped` list partitions. */
interface Maintained {
  created: string[];
  dropped: string[];
  /** Partitions that are old enough but must stay, with the reason. */
  kept: string[];
}

/**
 * Creates the partitions of the coming months, and drops those in which all rows are older than they must be kept. Safe
 * to run at any time while the service runs, and from several processes at once: they take turns. Locks each table for
 * some milliseconds, and gives up if others still hold it after a minute.
 *
 * @param ownerUrl address for the role that owns the tables
 * @param appUrl address that web and worker use. Their role accesses partitions only through their tables.
 * @param at the time, for tests; by default this machine's, which must match the database's
 * @throws Error when the clocks differ, or a lock could not be taken: run it again later
 */
export async function maintain(ownerUrl: string, appUrl: string, retention: Retention, at?: Date): Promise<Maintained> {
  const sql = connect(ownerUrl, { max: 1 });
  const done: Maintained = { created: [], dropped: [], kept: [] };
  try {
    const now = at ?? (await agreedTime(sql));
    await sql`select pg_advisory_lock(hashtextextended('halcyon migrations', 0))`;
    const app = roleOf(appUrl) === roleOf(ownerUrl) ? null : roleOf(appUrl);
    for (const table of PARTITIONED_TABLES) await removeLeftover(sql, table);
    for (const table of PARTITIONED_TABLES) {
      done.created.push(...(await makeAhead(sql, { table, app, now })));
      const days = table === "audit_log" ? retention.auditDays : retention.eventDays;
      if (days !== null) await dropOld(sql, table, new Date(now.getTime() - days * DAY), done);
      // PostgreSQL does not analyze partitioned tables automatically.
      await sql`analyze ${sql(table)}`;
    }
    return done;
  } finally {
    await sql.end();
  }
}

/** Returns the current time, if the database's clock agrees. */
async function agreedTime(sql: postgres.Sql): Promise<Date> {
  const [row] = await sql<{ now: Date }[]>`select now() as now`;
  const now = new Date();
  if (!row || Math.abs(row.now.getTime() - now.getTime()) > CLOCKS_MS) {
    throw new Error(
      `nothing was made or dropped: this machine's clock says ${now.toISOString()} and the database's ${row?.now.toISOString()}. Set them right first.`,
    );
  }
  return now;
}

/**
 * Removes a check constraint that a killed run left on the last partition. Without an end, the partition would soon
 * refuse new rows because of it.
 */
async function removeLeftover(sql: postgres.Sql, table: PartitionedTable): Promise<void> {
  const open = (await readPartitions(sql, table)).at(-1);
  if (!open) return;
  const [left] = await sql`
    select from pg_constraint where conrelid = ${`public.${open.name}`}::regclass and conname = ${checkOf(open)}`;
  if (left) await removeCheck(sql, open);
}

const checkOf = ({ name }: Partition): string => `${name}_bound`;

const removeCheck = (sql: postgres.Sql, open: Partition): Promise<unknown> =>
  briefly(sql, (tx) => tx`alter table ${tx(open.name)} drop constraint if exists ${tx(checkOf(open))}`);

interface Making {
  table: PartitionedTable;
  app: string | null;
  now: Date;
}

async function makeAhead(sql: postgres.Sql, making: Making): Promise<string[]> {
  const { table, now } = making;
  const wanted = startOfMonth(now, AHEAD + 1);
  const created: string[] = [];
  for (;;) {
    const open = (await readPartitions(sql, table)).at(-1);
    if (!open || open.end !== null) throw new Error(`${table} has no last partition: run npm run migrate first`);
    const begins = open.from === null ? startOfMonth(now) : timeOfId(table, open.from);
    if (begins >= wanted) return created;
    const end = await endOf(sql, table, open, [startOfMonth(begins, 1), now]);
    created.push(await closePartition(sql, making, open, end));
  }
}

/**
 * Returns where the last partition can end: after a month, or, if it already has rows, in the future and after all of
 * them.
 */
async function endOf(
  sql: postgres.Sql,
  table: PartitionedTable,
  { name }: Partition,
  [month, now]: [Date, Date],
): Promise<Date> {
  const [row] = await sql<{ newest: string | null }[]>`select max(id) as newest from ${sql(name)}`;
  if (!row?.newest) return month;
  const times = [month, startOfMonth(now, 1), startOfMonth(timeOfId(table, row.newest), 1)];
  return new Date(Math.max(...times.map(Number)));
}

/**
 * Gives the last partition an end, and creates the next one without an end. Checks the rows before it locks the table.
 */
async function closePartition(sql: postgres.Sql, making: Making, open: Partition, end: Date): Promise<string> {
  const bound = boundAt(making.table, end);
  const check = checkOf(open);
  const within = [...(open.from === null ? [] : [`id >= '${open.from}'`]), `id < '${bound}'`].join(" and ");
  await briefly(sql, (tx) =>
    tx.unsafe(`alter table "${open.name}" add constraint "${check}" check (${within}) not valid`),
  );
  const next = `${making.table}_${end.toISOString().slice(0, 7).replace("-", "_")}`;
  try {
    await sql`alter table ${sql(open.name)} validate constraint ${sql(check)}`;
    await addAfter(sql, making, open, { name: next, bound });
  } catch (error) {
    // Rows past the bound would be refused. If this fails too, the next run does it first.
    await removeCheck(sql, open).catch(() => {});
    throw error;
  }
  return next;
}

/** Does both in one transaction, while no one else can use the table. */
async function addAfter(
  sql: postgres.Sql,
  { table, app }: Making,
  open: Partition,
  { name, bound }: { name: string; bound: string },
): Promise<void> {
  await briefly(sql, async (tx) => {
    const [from, table_, last, next] = [open.from, tx(table), tx(open.name), tx(name)];
    // `only` leaves the other partitions unlocked. Otherwise this would wait for their readers while it holds the lock.
    await tx`lock table only ${table_} in access exclusive mode`;
    await tx`create table ${next} (like ${last} including all excluding constraints)`;
    await sameStorage(tx, open.name, name);
    if (table === "audit_log") {
      await tx`create trigger audit_log_not_truncated before truncate on ${next}
        for each statement execute function audit_log_append_only()`;
    }
    await tx`revoke all on ${next} from public`;
    if (app !== null) await tx`revoke all on ${next} from ${tx(app)}`;
    await tx`alter table ${table_} detach partition ${last}`;
    const starts = from === null ? "minvalue" : `'${from}'`;
    await tx.unsafe(
      `alter table "${table}" attach partition "${open.name}" for values from (${starts}) to ('${bound}')`,
    );
    await tx.unsafe(`alter table "${table}" attach partition "${name}" for values from ('${bound}') to (maxvalue)`);
    await tx`alter table ${last} drop constraint ${tx(checkOf(open))}`;
  });
}

/** Copies the fillfactor and other storage options, which LIKE leaves out. */
async function sameStorage(tx: postgres.TransactionSql, from: string, to: string): Promise<void> {
  const [row] = await tx<{ options: string[] | null }[]>`
    select reloptions as options from pg_class where oid = ${`public.${from}`}::regclass`;
  if (row?.options) await tx.unsafe(`alter table "${to}" set (${row.options.join(", ")})`);
}

/** Drops partitions from the oldest on, as long as all rows of a partition are older than the cutoff. */
async function dropOld(sql: postgres.Sql, table: PartitionedTable, cutoff: Date, done: Maintained): Promise<void> {
  for (const partition of await readPartitions(sql, table)) {
    const { name, end } = partition;
    if (end === null || timeOfId(table, end) > cutoff) return;
    const stays = await briefly(sql, (tx) => dropPartition(tx, table, { name, end }, cutoff));
    if (stays !== null) {
      done.kept.push(`${name}: ${stays}`);
      return;
    }
    done.dropped.push(name);
  }
}

/** Runs a transaction that locks a table. Retries if the lock takes longer than others can wait. */
function briefly<T>(sql: postgres.Sql, work: (tx: postgres.TransactionSql) => Promise<T>): Promise<T> {
  return againWhenLocked(
    PAUSES_MS,
    () =>
      sql.begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${String(LOCK_MS)}, true)`;
        return work(tx);
      }) as Promise<T>,
  );
}
