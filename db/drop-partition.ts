import type postgres from "postgres";
import type { PartitionedTable } from "./partitions";

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
    const open = await notAnchored(tx, name);
    if (open !== null) return open;
    await leaveCheckpoints(tx, name);
  }
  if (table === "webhook_deliveries") await tx`delete from webhook_queue where delivery_id < ${end}`;
  // Nothing is written to a month that is long over, so all that was read first still holds.
  await tx`lock table only ${tx(table)} in access exclusive mode`;
  await tx`drop table ${tx(name)}`;
  return null;
}

/** The last entry of each chain in the partition has to be covered by an anchor that a final block holds. */
async function notAnchored(tx: postgres.TransactionSql, name: string): Promise<string | null> {
  const [row] = await tx<{ chains: number; root_id: string | null }[]>`
    select count(*)::int as chains, min(e.root_id) as root_id
    from (select root_id, chain_id, max(position) as position from ${tx(name)} group by root_id, chain_id) e
    where not exists (
      select from audit_anchor_leaves l join audit_anchors_final f on f.chain_id = l.chain_id and f.day = l.day
      where l.chain_id = e.chain_id and l.root_id = e.root_id and l.position >= e.position)`;
  if (!row || row.chains === 0) return null;
  return `the entries of ${row.chains} chains (${row.root_id}, …) are in no final anchor yet`;
}

/** A position may have left before its turn, where clocks differ: a checkpoint never goes back. */
async function leaveCheckpoints(tx: postgres.TransactionSql, name: string): Promise<void> {
  await tx`
    insert into audit_checkpoints (root_id, chain_id, position, hash)
    select distinct on (root_id, chain_id) root_id, chain_id, position, hash from ${tx(name)}
    order by root_id, chain_id, position desc
    on conflict (root_id, chain_id) do update set position = excluded.position, hash = excluded.hash
    where audit_checkpoints.position < excluded.position`;
}
