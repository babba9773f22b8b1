import { and, eq, gt, isNull } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { rebuiltPayments } from "@/db/schema/transfers";
import type { SessionContext } from "@/lib/base/context/context";
import { earliestOpenPayment } from "@/lib/policy/calendar/earliest-payment";

/**
 * Reports whether recent payments of the account or its agents were rebuilt from the chain and still lack the tag that
 * only the owner's client can provide.
 */
export async function tagsWanted(tx: Tx, { account, chainId }: SessionContext, now = new Date()): Promise<boolean> {
  const [wanted] = await tx
    .select({ id: rebuiltPayments.transferId })
    .from(rebuiltPayments)
    .where(
      and(
        eq(rebuiltPayments.rootId, account.rootId),
        eq(rebuiltPayments.chainId, chainId),
        gt(rebuiltPayments.paidAt, earliestOpenPayment(now)),
        isNull(rebuiltPayments.tag),
      ),
    )
    .limit(1);
  return wanted !== undefined;
}
