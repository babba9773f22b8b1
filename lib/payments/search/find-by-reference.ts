import { and, eq } from "drizzle-orm";
import { heldPayments } from "@/db/schema/agents";
import type { SessionContext } from "@/lib/base/context/context";
import { heldWithinReach, storedHeld } from "@/lib/payments/approvals/find-held";
import { waits } from "@/lib/payments/approvals/list-pending";
import { listTransfers } from "@/lib/payments/list-transfers";
import { listPaymentRequests } from "@/lib/payments/requests/list-payment-requests";
import { foundHeld, foundRequest, foundTransfer } from "./describe";
import type { FoundRecord } from "./found-resource";

/** The most results of each kind. The lists have the rest. */
const MOST = 5;

/**
 * Returns transfers, payments awaiting approval and payment requests with exactly this reference, newest transfers
 * first.
 */
export async function findByReference(ctx: SessionContext, reference: string): Promise<FoundRecord[]> {
  const page = { limit: MOST, offset: 0, reference };
  const [{ transfers }, held, { requests }] = await Promise.all([
    listTransfers(ctx, page),
    storedHeld(and(heldWithinReach(ctx), waits(), eq(heldPayments.reference, reference))).limit(MOST),
    listPaymentRequests(ctx, page),
  ]);
  return [...held.map(foundHeld), ...transfers.map(foundTransfer), ...requests.map(({ row }) => foundRequest(row))];
}
