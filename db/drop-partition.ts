import type postgres from "postgres";
import type { PartitionedTable } from "./partitions";

const DAY = 86_400_000;

/** A partition that may be dropped: one with an end. */
interface Closed {
  name: string;
  end: string;
}

/**
 * Drops a table's oldest partition and the rows that refer to it. For the audit log, leaves checkpoints from which `npm
 * run audit:verify` starts.
 *
 * @returns why it must stay; null if it was dropped
 */
export async function dropPartition(
  tx: postgres.TransactionSql,
  table: PartitionedTable,
  { name, end }: Closed,
  cutoff: Date,
): Promise<string | null> {
  // An id may differ from its row's time by the length of a transaction and the difference of clocks, so check the
  // rows' own times.
  const [young] = await tx`select id from ${tx(name)} where created_at >= ${cutoff.toISOString()} limit 1`;
  if (young) return `${young.id} is not old enough`;
  if (table === "audit_log") {
    const open = await notAnchored(tx, name, cutoff);
    if (open !== null) return open;
    await leaveCheckpoints(tx, name, end);
  }
  if (table === "webhook_deliveries") await tx`delete from webhook_queue where delivery_id < ${end}`;
  // No one writes to a month that ended long ago, so what was read before the lock still holds.
  await tx`lock table only ${tx(table)} in access exclusive mode`;
  await tx`drop table ${tx(name)}`;
  return null;
}

/**
 * Returns why the partition must stay, or null. The last entry of each chain in it must be covered by an anchor in a
 * final block. Entries are kept for the same time from that day on, because `npm run audit:verify` has no other way to
 * know their age.
 */
async function notAnchored(tx: postgres.TransactionSql, name: string, cutoff: Date): Promise<string | null> {
  const [row] = await tx<{ chains: number; root_id: string | null }[]>`
    select count(*)::int as chains, min(e.root_id) as root_id
    from (select root_id, chain_id, max(position) as position from ${tx(name)} group by root_id, chain_id) e
    where not exists (
      select from audit_anchor_leaves l join audit_anchors_final f on f.chain_id = l.chain_id and f.day = l.day
      where l.chain_id = e.chain_id and l.root_id = e.root_id and l.position >= e.position
        and l.day <= ${Math.floor(cutoff.getTime() / DAY)})`;
  if (!row || row.chains === 0) return null;
  return `the entries of ${row.chains} chains (${row.root_id}, …) are in no final anchor that is old enough`;
}

/**
 * Writes checkpoints. A checkpoint never moves backwards, although positions may have been dropped out of order where
 * clocks differ. It lists entries that stay behind in later partitions: those at positions that the dropped partition
 * lacks, and that the entry with the next position follows. Anything else was added afterwards, and `npm run
 * audit:verify` reports it.
 */
async function leaveCheckpoints(tx: postgres.TransactionSql, name: string, end: string): Promise<void> {
  await tx`
    insert into audit_checkpoints (root_id, chain_id, position, hash, left_behind)
    select e.root_id, e.chain_id, e.position, e.hash, (
      select coalesce(jsonb_agg('0x' || encode(l.hash, 'hex') order by l.position), '[]')
      from audit_log l
      where l.id >= ${end} and l.root_id = e.root_id and l.chain_id = e.chain_id and l.position < e.position
        and l.position > coalesce((
          select c.position from audit_checkpoints c where c.root_id = e.root_id and c.chain_id = e.chain_id), 0)
        and not exists (
          select from ${tx(name)} o
          where o.root_id = l.root_id and o.chain_id = l.chain_id and o.position = l.position)
        and exists (
          select from audit_log n
          where n.root_id = l.root_id and n.chain_id = l.chain_id and n.position = l.position + 1
            and n.previous_hash = l.hash))
    from (
      select distinct on (root_id, chain_id) root_id, chain_id, position, hash from ${tx(name)}
      order by root_id, chain_id, position desc) e
    on conflict (root_id, chain_id) do update set position = excluded.position, hash = excluded.hash,
      left_behind = audit_checkpoints.left_behind || excluded.left_behind
    where audit_checkpoints.position < excluded.position`;
}
