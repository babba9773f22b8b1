import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { isSamePayment } from "@/lib/chain/index/same-payment";
import { failOperations } from "./fail-operations";

/**
 * Fails operations signed for an earlier policy version than the index shows, and everything that builds on them. The
 * ledger refuses them, so an account never pays under two policies and nothing has to wait for its deadline. Call it
 * after the payments of the same blocks are confirmed.
 */
export async function failOutdated(tx: Tx, chainId: ChainId, now: Date): Promise<void> {
  const rows = await tx.execute<{ id: string }>(sql`
    select o.id from operations o
    join ledger_accounts l on l.chain_id = o.chain_id and l.address = o.account and o.policy_version < l.policy_version
    where o.chain_id = ${chainId} and o.status = 'pending' and not exists (
      select from transfers t join accounts a on a.id = t.payer_id join ledger_payments p on ${isSamePayment}
      where t.operation_id = o.id)
    order by o.created_at`);
  await failOperations(
    tx,
    rows.map(({ id }) => id),
    now,
  );
}
