import { sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";

/** A failed `setPolicy`, with the policy version that it was signed for. */
interface FailedPolicy {
  chainId: number;
  account: Address;
  policyVersion: bigint;
}

/**
 * Returns pending operations that depend on a failed `setPolicy` and that no block will accept. While the ledger still
 * has the version before, that is everything signed for a later version. If another policy has taken this version, it
 * is what keys signed for it, because their proofs contain the failed policy's limits. What wallets signed, and a later
 * policy, are valid under any policy of their version.
 */
export async function behindPolicy(tx: Tx, { chainId, account, policyVersion }: FailedPolicy): Promise<string[]> {
  const [address, before] = [Buffer.from(account.slice(2), "hex"), policyVersion.toString()];
  const rows = await tx.execute<{ id: string }>(sql`
    select o.id from operations o
    join ledger_accounts l on l.chain_id = o.chain_id and l.address = o.account
    where o.chain_id = ${chainId} and o.account = ${address} and o.status = 'pending'
      and o.policy_version > ${before}::bigint
      and (l.policy_version = ${before}::bigint or (o.policy_version = ${before}::bigint + 1 and exists (
        select from transfers t where t.operation_id = o.id and t.mode in (0, 1))))`);
  return rows.map(({ id }) => id);
}
