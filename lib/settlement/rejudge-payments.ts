import { sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/network";
import { confirmTransfers } from "@/lib/transfers/settle-transfer";
import { reopenPayments } from "./reopen-payments";
import { confirmOperations } from "./settle-operations";

const ROWS = 500;

/**
 * Makes all transfers of a chain what a whole index shows of them: those that happened are confirmed, and confirmed
 * ones the chain does not have are open again. They go out once more, or fail when their time has passed.
 */
export async function rejudgePayments(tx: Tx, chainId: ChainId): Promise<void> {
  const now = new Date();
  const shown = await tx.execute<{ operation: string; hash: Uint8Array }>(sql`
    select t.operation_id as operation, p.tx_hash as hash from transfers t
    join accounts a on a.id = t.payer_id
    join ledger_payments p on p.chain_id = t.chain_id and p.payer = a.address and p.asset = t.asset
      and p.new_word = t.new_word
    where t.chain_id = ${chainId} and t.status <> 'confirmed'`);
  const carriedOut = shown.map(({ operation, hash }) => ({
    operationId: operation,
    txHash: `0x${Buffer.from(hash).toString("hex")}` as Hex,
  }));
  for (let start = 0; start < carriedOut.length; start += ROWS) {
    const some = carriedOut.slice(start, start + ROWS);
    await confirmOperations(tx, chainId, some, now);
    // Also such as were not in step with their operations.
    await confirmTransfers(
      tx,
      some.map((one) => ({ ...one, announced: false })),
      now,
    );
  }
  const gone = await tx.execute<{ operation: string }>(sql`
    select t.operation_id as operation from transfers t join accounts a on a.id = t.payer_id
    where t.chain_id = ${chainId} and t.status = 'confirmed' and not exists (
      select from ledger_payments p where p.chain_id = t.chain_id and p.payer = a.address and p.asset = t.asset
        and p.new_word = t.new_word)`);
  for (let start = 0; start < gone.length; start += ROWS) {
    await reopenPayments(
      tx,
      gone.slice(start, start + ROWS).map(({ operation }) => operation),
      now,
    );
  }
}
