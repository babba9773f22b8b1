import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { exactPayments } from "@/db/schema/exact-payments";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import type { ExactRow } from "./exact/record-exact";
import { getTransferView } from "./get-transfer-view";
import type { TransferView } from "./transfer-view";

/**
 * What the seller of a payment takes, the same at every request: to the account that paid, to an agent's key its own.
 *
 * @throws ApiError `not_found`, also for a payment that goes to no `exact` seller
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
