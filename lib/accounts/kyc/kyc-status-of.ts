import { shortRead } from "@/db/client";
import type { ChainId } from "@/lib/base/network";
import type { KycStatus } from "./provider";

/**
 * Returns the KYC status of an account on one network.
 *
 * @param accountId the root account's id; for an agent, its owner's
 */
export async function kycStatusOf(accountId: string, chainId: ChainId): Promise<KycStatus> {
  const [row] = await shortRead(
    "rows",
    (sql) => sql<{ status: KycStatus }[]>`
      select kyc_status as status from account_networks where account_id = ${accountId} and chain_id = ${chainId}`,
  );
  return row?.status ?? "unverified";
}
