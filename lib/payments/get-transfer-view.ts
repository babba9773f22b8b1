import { and, eq, or } from "drizzle-orm";
import { db } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { mineOf } from "./list-transfers";
import { joinPayer, payers, type TransferView, viewColumns } from "./transfer-view";

/**
 * Returns a transfer with its ciphertexts that the account or one of its agents sent or received. An agent's key finds
 * only its own.
 *
 * @throws ApiError `not_found`, also for other accounts and the other network
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
