import { sql } from "@/db/client";
import type { ChainId } from "@/lib/network";
import type { KycStatus } from "./provider";

/** The status on one network of an account, or of an agent's owner: `accountId` is the root account's. */
export async function kycStatusOf(accountId: string, chainId: ChainId): Promise<KycStatus> {
  const [row] = await sql()<{ status: KycStatus }[]>`
    select kyc_status as status from account_networks where account_id = ${accountId} and chain_id = ${chainId}`;
  return row?.status ?? "unverified";
}
