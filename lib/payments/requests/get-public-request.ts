import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { paymentRequests } from "@/db/schema/payment-requests";
import { isId } from "@/lib/base/ids";
import { noSuchRequest, type PaymentRequestRow } from "./find-payment-request";

/** A payment request, as anyone who has its link sees it. */
export interface PublicRequest {
  row: PaymentRequestRow;
  /** Without @. */
  payeeHandle: string;
}

/**
 * Returns what anyone with a request's link may see: terms, envelope and signature, but not the payee's reference or
 * who has paid.
 *
 * @throws ApiError `not_found`
 */
export async function getPublicRequest(id: string, now = new Date()): Promise<PublicRequest> {
  const [found] = isId("paymentRequest", id)
    ? await db()
        .select({ row: paymentRequests, payeeHandle: accounts.handle })
        .from(paymentRequests)
        .innerJoin(accounts, eq(accounts.id, paymentRequests.accountId))
        .where(eq(paymentRequests.id, id))
    : [];
  if (!found) throw noSuchRequest();
  const isOver = found.row.status === "open" && found.row.expiresAt <= now;
  return isOver ? { ...found, row: { ...found.row, status: "expired" } } : found;
}
