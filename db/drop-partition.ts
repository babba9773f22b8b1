import type postgres from "postgres";
import type { PartitionedTable } from "./partitions";

const DAY = 86_400_000;

/** A partition that may go: one that ends. */
interface Closed {
  name: string;
  end: string;
}

/**
 * Drops a table's oldest partition, with what refers to its rows. Of the audit log it leaves checkpoints behind, from
 * which `npm run audit:verify` starts.
 *
 * @returns why it has to stay; null once it is gone
 */
export async function dropPartition(
  tx: postgres.TransactionSql,
  table: PartitionedTable,
  { name, end }: Closed,
  cutoff: Date,
): Promise<string | null> {
  // Ids follow their time within a transaction's length, and clocks differ: the rows themselves decide.
  const [young] = await tx`select id from ${tx(name)} where created_at >= ${cutoff.toISOString()} limit 1`;
  if (young) return `${young.id} is not old enough`;
  if (table === "audit_log") {
    const open = await notAnchored(tx, name, cutoff);
    if (open !== null) return open;
    await leaveCheckpoints(tx, name, end);
  }
  if (table === "webhook_deliveries") await tx`delete from webhook_queue where delivery_id < ${end}`;
  // Nothing is written to a month that is long over, so all that was read first still holds.
  await tx`lock table only ${tx(table)} in access exclusive mode`;
  await tx`drop table ${tx(name)}`;
  return null;
}

/**
 * The last entry of each chain in the partition has to be covered by an anchor that a final block holds. From its day on
 * entries are kept as long as from their own: `npm run audit:verify` has no other way to know their age.
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
 * A position may have left before its turn, where clocks differ: a checkpoint never goes back. It names what is left
 * behind in later partitions: entries that one with the next position follows, in a place that no row leaves with the
 * partition. Anything else was added there, and `npm run audit:verify` reports it.
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
