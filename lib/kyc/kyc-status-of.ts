import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accountNetworks } from "@/db/schema/accounts";
import type { ChainId } from "@/lib/network";
import type { KycStatus } from "./provider";

/** The status on one network of an account, or of an agent's owner: `accountId` is the root account's. */
export async function kycStatusOf(accountId: string, chainId: ChainId): Promise<KycStatus> {
  const [row] = await db()
    .select({ status: accountNetworks.kycStatus })
    .from(accountNetworks)
    .where(and(eq(accountNetworks.accountId, accountId), eq(accountNetworks.chainId, chainId)));
  return row?.status ?? "unverified";
}
