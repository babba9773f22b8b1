import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { wordToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import type { CarriedOut } from "./judge-states";

/**
 * Returns the allocations that events carry out and that are not confirmed yet, no matter who sent the transactions.
 * They are known by the words they leave. If several operations are to leave one word, because an allocation was tried
 * again, it is one that has not failed, and none if one of them is confirmed.
 */
export async function allocationsIn(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<CarriedOut[]> {
  const shown = events.flatMap((event) => {
    if (event.eventName !== "Allocated") return [];
    const { account, asset, newBudget } = event.args;
    return [[account, asset, wordToHex(newBudget), event.transactionHash].map((hex) => `\\x${hex.slice(2)}`)];
  });
  if (shown.length === 0) return [];
  const column = (at: number) => sql`${sql.param(shown.map((row) => row[at]))}::text[]::bytea[]`;
  const rows = await tx.execute<{ id: string; hash: string }>(sql`
    select id, encode(hash, 'hex') as hash from (
      select distinct on (e.account, e.asset, e.word) o.id, o.status, e.hash
      from unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)}) as e (account, asset, word, hash)
      join budget_states s on s.chain_id = ${chainId} and s.account = e.account and s.asset = e.asset
        and s.word = e.word
      join operations o on o.id = s.operation_id and o.kind = 'allocate'
      order by e.account, e.asset, e.word, o.status = 'confirmed' desc, o.status = 'pending' desc, s.id desc
    ) made where status <> 'confirmed'`);
  return rows.map(({ id, hash }) => ({ operationId: id, txHash: `0x${hash}` as Hex }));
}
