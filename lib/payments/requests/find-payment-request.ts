import { and, eq, type SQL } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { paymentRequests } from "@/db/schema/payment-requests";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";

export type PaymentRequestRow = typeof paymentRequests.$inferSelect;

/** Returns the same error for a request that is unknown, another account's or of the other network. */
export function noSuchRequest(param?: string): ApiError {
  return new ApiError("not_found", "There is no such payment request.", param === undefined ? {} : { param });
}

/**
 * Refuses agents: payment requests belong to the owner.
 *
 * @throws ApiError `key_forbidden`
 */
export function requireRequestOwner({ account }: Context): void {
  if (account.type !== "agent") return;
  throw new ApiError("key_forbidden", "Payment requests belong to the owner. Use a key of the owner's account.");
}

/** Returns the condition that selects the caller's own requests on the caller's network. */
export function ownRequests(ctx: Context): SQL | undefined {
  requireRequestOwner(ctx);
  return and(eq(paymentRequests.accountId, ctx.account.id), eq(paymentRequests.chainId, ctx.chainId));
}

/**
 * Returns one of the caller's payment requests.
 *
 * @throws ApiError `not_found`, `key_forbidden` to an agent's key
 */
export async function findPaymentRequest(ctx: Context, id: string): Promise<PaymentRequestRow> {
  const own = ownRequests(ctx);
  if (!isId("paymentRequest", id)) throw noSuchRequest();
  const [row] = await db()
    .select()
    .from(paymentRequests)
    .where(and(eq(paymentRequests.id, id), own));
  if (!row) throw noSuchRequest();
  return row;
}

/**
 * Returns and locks one of the caller's payment requests.
 *
 * @throws ApiError `not_found`, `key_forbidden` to an agent's key
 */
export async function lockPaymentRequest(tx: Tx, ctx: Context, id: string): Promise<PaymentRequestRow> {
  const own = ownRequests(ctx);
  if (!isId("paymentRequest", id)) throw noSuchRequest();
  const [row] = await tx
    .select()
    .from(paymentRequests)
    .where(and(eq(paymentRequests.id, id), own))
    .for("update");
  if (!row) throw noSuchRequest();
  return row;
}
