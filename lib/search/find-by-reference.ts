import { and, eq } from "drizzle-orm";
import { heldPayments } from "@/db/schema/agents";
import type { SessionContext } from "@/lib/context/context";
import { listPaymentRequests } from "@/lib/payment-requests/list-payment-requests";
import { storedHeld, withinReach } from "@/lib/transfers/held/find-held";
import { waits } from "@/lib/transfers/held/list-pending";
import { listTransfers } from "@/lib/transfers/list-transfers";
import { foundHeld, foundRequest, foundTransfer } from "./describe";
import type { Found } from "./found-resource";

/** The most results of each kind. The lists have the rest. */
const MOST = 5;

/**
 * Returns transfers, payments awaiting approval and payment requests with exactly this reference, newest transfers
 * first.
 */
export async function findByReference(ctx: SessionContext, reference: string): Promise<Found[]> {
  const page = { limit: MOST, offset: 0, reference };
  const [{ transfers }, held, { requests }] = await Promise.all([
    listTransfers(ctx, page),
    storedHeld(and(withinReach(ctx), waits(), eq(heldPayments.reference, reference))).limit(MOST),
    listPaymentRequests(ctx, page),
  ]);
  return [...held.map(foundHeld), ...transfers.map(foundTransfer), ...requests.map(({ row }) => foundRequest(row))];
}
