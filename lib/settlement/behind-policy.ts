import { sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";

/** A `setPolicy` that failed, by the version it was signed over. */
interface FailedPolicy {
  chainId: number;
  account: Address;
  policyVersion: bigint;
}

/**
 * What is under way behind a `setPolicy` that failed, and that no block will take. While the ledger keeps the version
 * before, that is everything signed over a later one. Where another policy has taken its place, it is what keys have
 * signed over the version that both make: they proved this policy's limits. What wallets signed, and a later policy,
 * hold over any policy of their version.
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
