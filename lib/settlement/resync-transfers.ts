import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { hasConfirmedTwin, isSamePayment } from "@/lib/chain/index/same-payment";
import { confirmTransfers } from "@/lib/payments/settle-transfer";
import { reopenPayments } from "./reopen-payments";
import { confirmOperations } from "./settle-operations";

const ROWS = 500;

/**
 * Updates all transfers of a chain to match a complete index. Payments that happened are confirmed; confirmed ones that
 * the chain lacks are reopened. Those are sent again, or fail when their deadline has passed.
 */
export async function resyncTransfers(tx: Tx, chainId: ChainId): Promise<void> {
  const now = new Date();
  // A retried payment has several transfers, only one of which is on chain.
  const shown = await tx.execute<{ operation: string; hash: Uint8Array }>(sql`
    select distinct on (p.block_number, p.log_index) t.operation_id as operation, p.tx_hash as hash from transfers t
    join accounts a on a.id = t.payer_id
    join ledger_payments p on ${isSamePayment}
    where t.chain_id = ${chainId} and t.status <> 'confirmed' and not ${hasConfirmedTwin}
    order by p.block_number, p.log_index, exists (
      select from outgoing_transactions o where o.operation_id = t.operation_id and o.hash = p.tx_hash) desc,
      t.status = 'pending' desc, t.operation_id desc`);
  const carriedOut = shown.map(({ operation, hash }) => ({
    operationId: operation,
    txHash: `0x${Buffer.from(hash).toString("hex")}` as Hex,
  }));
  for (let start = 0; start < carriedOut.length; start += ROWS) {
    const some = carriedOut.slice(start, start + ROWS);
    await confirmOperations(tx, chainId, some, now);
    // Includes transfers whose status differed from their operation's.
    await confirmTransfers(
      tx,
      some.map((one) => ({ ...one, announced: false })),
      now,
    );
  }
  const gone = await tx.execute<{ operation: string }>(sql`
    select distinct t.operation_id as operation from transfers t join accounts a on a.id = t.payer_id
    where t.chain_id = ${chainId} and t.status = 'confirmed' and not exists (
      select from ledger_payments p where ${isSamePayment})`);
  for (let start = 0; start < gone.length; start += ROWS) {
    await reopenPayments(
      tx,
      gone.slice(start, start + ROWS).map(({ operation }) => operation),
      now,
    );
  }
}
