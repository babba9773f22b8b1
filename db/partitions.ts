import type postgres from "postgres";
import { decodeTime, encodeTime } from "ulid";
import { ID_PREFIX } from "@/lib/base/ids";

/**
 * Tables partitioned by the month of their ids (docs/design/database.md). An id begins with its
 * time, so the primary key is also the partition key: an id is unique across all partitions and found in exactly one.
 */
const PARTITIONED = {
  events: ID_PREFIX.event,
  webhook_deliveries: ID_PREFIX.delivery,
  audit_log: ID_PREFIX.audit,
} as const;
export type PartitionedTable = keyof typeof PARTITIONED;
export const PARTITIONED_TABLES = Object.keys(PARTITIONED) as PartitionedTable[];

/** A partition with the ids from `from` (inclusive) to `end` (exclusive); null: unbounded. */
export interface Partition {
  name: string;
  from: string | null;
  end: string | null;
}

/** Returns the partitions of a table, oldest first. The last one has no end, so that no row is ever refused. */
export async function readPartitions(sql: postgres.ISql, table: PartitionedTable): Promise<Partition[]> {
  const rows = await sql<{ name: string; bound: string }[]>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${`public.${table}`}::regclass`;
  const partitions = rows.map(({ name, bound }): Partition => {
    const [, from = null, end = null] = /FROM \((?:'(\w+)'|MINVALUE)\) TO \((?:'(\w+)'|MAXVALUE)\)/.exec(bound) ?? [];
    return { name, from, end };
  });
  return partitions.sort((a, b) => ((a.from ?? "") < (b.from ?? "") ? -1 : 1));
}

/** Returns the start of the month `later` months after that of a time, in UTC. */
export function startOfMonth(time: Date, later = 0): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth() + later));
}

/** Returns the lower bound of a table's ids at a time. */
export const boundAt = (table: PartitionedTable, time: Date): string =>
  PARTITIONED[table] + encodeTime(time.getTime(), 10);

/**
 * Returns the time of an id or a bound.
 *
 * @throws Error for an id that the service did not create
 */
export function timeOfId(table: PartitionedTable, id: string): Date {
  return new Date(decodeTime(id.slice(PARTITIONED[table].length).padEnd(26, "0")));
}

/**
 * Returns for how many months from now on a table has partitions of their own; negative once the last one is being
 * filled.
 */
export function monthsAhead(table: PartitionedTable, partitions: readonly Partition[], now: Date): number {
  const open = partitions.at(-1)?.from;
  if (!open) return -1;
  const begins = timeOfId(table, open);
  const months = (time: Date) => time.getUTCFullYear() * 12 + time.getUTCMonth();
  return months(begins) - months(now) - 1;
}
