import { sql } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import { hasOpenRecipients } from "@/lib/policy/policy-document";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/**
 * Returns the addresses that a policy's recipients resolve to now, in lower case and sorted. The ledger will let the
 * agent pay these. Handles without an account are left out. With a wildcard or public payments, the ledger checks no
 * recipient, so the result is `anyone`.
 */
export async function resolveRecipients(
  chainId: ChainId,
  policy: SpendPolicy,
  at: Pick<Tx, "execute"> = db(),
): Promise<Address[] | "anyone"> {
  if (hasOpenRecipients(policy)) return "anyone";
  const addresses = policy.allowedRecipients.filter((entry) => entry.startsWith("0x")) as Address[];
  const handles = policy.allowedRecipients.filter((entry) => entry.startsWith("@")).map((entry) => entry.slice(1));
  const found =
    handles.length === 0
      ? []
      : await at.execute<{ address: string }>(sql`
          select encode(address, 'hex') as address from accounts
          where handle in (${sql.join(
            handles.map((handle) => sql`${handle}`),
            sql`, `,
          )}) and (chain_id is null or chain_id = ${chainId})`);
  const named = found.map(({ address }): Address => `0x${address}`);
  return [...new Set([...addresses, ...named])].sort();
}
