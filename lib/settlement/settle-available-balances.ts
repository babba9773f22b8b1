import { sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { insertRows } from "@/db/insert-rows";
import { availableCommitments, availableStates } from "@/db/schema/ledger";
import { type AvailableId, lockAvailable } from "@/lib/balances/lock";
import type { ChainId } from "@/lib/base/network";
import { isSamePayment } from "@/lib/chain/index/same-payment";
import {
  type AvailableChange,
  type CarriedOut,
  compareStatesWithIndex,
  type StateRow,
} from "./compare-states-with-index";

/** The result of settling a batch of final commitments. */
interface SettledAvailableBalances {
  carriedOut: CarriedOut[];
  /** Operations to end once the ledger itself was asked. */
  doubtful: string[];
}

const nameOf = ({ account, asset }: { account: string; asset: string }) => `${account}/${asset}`;

function groupByAvailable<T extends { account: string; asset: string }>(items: readonly T[]): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(nameOf(item));
    if (group) group.push(item);
    else groups.set(nameOf(item), [item]);
  }
  return groups;
}

/** Records the final commitments of a batch and settles the states that they decide. */
export async function settleAvailableBalances(
  tx: Tx,
  chainId: ChainId,
  changes: readonly AvailableChange[],
): Promise<SettledAvailableBalances> {
  const doubtful: string[] = [];
  if (changes.length === 0) return { carriedOut: [], doubtful };
  const byAvailable = groupByAvailable(changes);
  await recordWords(tx, chainId, changes);
  const rows = await readStates(tx, chainId, [...new Set(changes.map(({ account }) => account))]);
  const statesOf = groupByAvailable(rows);
  const carriedOut: CarriedOut[] = [];
  const finals: bigint[] = [];
  const superseded: bigint[] = [];
  const twins: bigint[] = [];
  const past: bigint[] = [];
  for (const [name, list] of [...byAvailable].sort(([a], [b]) => (a < b ? -1 : 1))) {
    let verdict = compareStatesWithIndex(statesOf.get(name) ?? [], list);
    const first = list[0];
    if (first && (verdict.final === null || verdict.doubtful.length > 0)) {
      // Look again under the lock, so that no payment builds on a state that is over.
      const availableId: AvailableId = { chainId, account: first.account, asset: first.asset };
      await lockAvailable(tx, availableId);
      const again = (await readStates(tx, chainId, [first.account])).filter((row) => nameOf(row) === name);
      verdict = compareStatesWithIndex(again, list);
    }
    doubtful.push(...verdict.doubtful);
    carriedOut.push(...verdict.carriedOut);
    superseded.push(...verdict.superseded);
    twins.push(...verdict.twins);
    if (verdict.final !== null) finals.push(verdict.final);
    if (verdict.past !== null) past.push(verdict.past);
  }
  if (twins.length > 0)
    await tx.update(availableStates).set({ status: "void" }).where(anyOf(availableStates.id, twins));
  if (superseded.length > 0) await tx.delete(availableStates).where(anyOf(availableStates.id, superseded));
  if (finals.length > 0) {
    await tx.update(availableStates).set({ status: "final" }).where(anyOf(availableStates.id, finals));
  }
  if (past.length > 0) await tx.update(availableStates).set({ status: "past" }).where(anyOf(availableStates.id, past));
  return { carriedOut, doubtful };
}

/** Stores the newest of these commitments for each available balance. */
export async function recordWords(tx: Tx, chainId: ChainId, changes: readonly AvailableChange[]): Promise<void> {
  const newest = new Map(changes.map((change) => [nameOf(change), change]));
  if (newest.size === 0) return;
  const rows = [...newest.values()].map(({ account, asset, newCommitment }) => ({
    chainId,
    account,
    asset,
    commitment: newCommitment,
  }));
  await tx.execute(sql`${insertRows(availableCommitments, rows)}
    on conflict (chain_id, account, asset) do update set commitment = excluded.commitment`);
}

interface Read extends Record<string, unknown> {
  id: string;
  account: Buffer;
  asset: Buffer;
  old_commitment: Buffer;
  commitment: Buffer;
  status: StateRow["status"];
  operation_id: string | null;
  of_payment: boolean;
  shown: boolean;
  own: boolean;
}

const hex = (bytes: Buffer): Hex => `0x${bytes.toString("hex")}`;

/**
 * Returns the states of some accounts' available balances, oldest first. A batch of payments makes one state, for which
 * its first payment stands.
 */
async function readStates(tx: Tx, chainId: ChainId, accounts: Address[]): Promise<StateRow[]> {
  const addresses = accounts.map((account) => `\\x${account.slice(2)}`);
  const rows = await tx.execute<Read>(sql`
    select s.id::text, s.account, s.asset, s.old_commitment, s.commitment, s.status, s.operation_id, t.id is not null as of_payment,
      p.tx_hash is not null as shown, exists (
        select from outgoing_transactions o where o.operation_id = s.operation_id and o.hash = p.tx_hash) as own
    from available_states s
    left join lateral (
      select * from transfers where operation_id = s.operation_id order by batch_index nulls first limit 1) t on true
    left join accounts a on a.id = t.payer_id
    left join ledger_payments p on ${isSamePayment}
    where s.chain_id = ${chainId} and s.account = any(${sql.param(addresses)}::text[]::bytea[])
    order by s.id`);
  return rows.map((row) => ({
    id: BigInt(row.id),
    account: hex(row.account),
    asset: hex(row.asset),
    oldCommitment: hex(row.old_commitment),
    commitment: hex(row.commitment),
    status: row.status,
    operationId: row.operation_id,
    ofPayment: row.of_payment,
    shown: row.shown,
    own: row.own,
  }));
}
