import { and, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { rebuiltPayments } from "@/db/schema/transfers";
import type { SessionContext } from "@/lib/context/context";

const DAY_MS = 24 * 3_600_000;

/**
 * Reports whether payments of the account or its agents from the last day were rebuilt from the chain and still lack
 * the tag that only the owner's client can provide.
 */
export async function tagsWanted(tx: Tx, { account, chainId }: SessionContext, now = new Date()): Promise<boolean> {
  const [wanted] = await tx
    .select({ id: rebuiltPayments.transferId })
    .from(rebuiltPayments)
    .where(
      and(
        eq(rebuiltPayments.rootId, account.rootId),
        eq(rebuiltPayments.chainId, chainId),
        gt(rebuiltPayments.paidAt, new Date(now.getTime() - DAY_MS)),
        isNull(rebuiltPayments.tag),
      ),
    )
    .limit(1);
  return wanted !== undefined;
}
