import { and, eq, or } from "drizzle-orm";
import { db } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { mineOf } from "./list-transfers";
import { joinPayer, payers, type TransferView, viewColumns } from "./transfer-view";

/**
 * One transfer of the account or its agents with its ciphertexts, as either side; an agent's key finds its own.
 *
 * @throws ApiError `not_found`, also for other accounts' and the other network's
 */
export async function getTransferView(ctx: Context, id: string): Promise<TransferView> {
  const { payer, recipient } = mineOf(ctx.account);
  const [found] = await db()
    .select(viewColumns)
    .from(transfers)
    .innerJoin(payers, joinPayer)
    .where(and(eq(transfers.id, id), eq(transfers.chainId, ctx.chainId), or(payer.is, recipient.is)));
  if (!found) throw new ApiError("not_found", "No transfer has this id. List your transfers to find it.");
  return { ...found, direction: found.row[payer.key] === payer.id ? "sent" : "received" };
}
