import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { exactPayments } from "@/db/schema/exact-payments";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ExactRow } from "./exact/record-exact";
import { getTransferView } from "./get-transfer-view";
import type { TransferView } from "./transfer-view";

/**
 * Returns a payment with what its seller takes, the same at every request. Available to the account that paid; an
 * agent's key can read its own payments.
 *
 * @throws ApiError `not_found`, also for a payment that does not go to an `exact` seller
 */
export async function getExactTransfer(
  ctx: Context,
  transferId: string,
): Promise<{ view: TransferView; exact: ExactRow }> {
  const view = await getTransferView(ctx, transferId);
  const [exact] = await db().select().from(exactPayments).where(eq(exactPayments.transferId, transferId));
  if (exact && view.direction === "sent") return { view, exact };
  throw new ApiError("not_found", "This transfer pays no seller of the scheme `exact`.");
}
