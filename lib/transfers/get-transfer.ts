import { and, eq, or } from "drizzle-orm";
import { db } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Context } from "@/lib/auth/context";
import { ApiError } from "@/lib/errors";
import { isId } from "@/lib/ids";
import { mineOf } from "./list-transfers";
import { joinPayer, payers, type TransferView, viewColumns } from "./transfer-view";

/**
 * One transfer of the account (or of its agents), as either side. Unknown, foreign, malformed and other networks' ids
 * are told apart by nobody.
 *
 * @throws not_found
 */
export async function getTransfer(ctx: Context, id: string): Promise<TransferView> {
  const { payer, recipient } = mineOf(ctx.account);
  const [found] = isId("transfer", id)
    ? await db()
        .select(viewColumns)
        .from(transfers)
        .innerJoin(payers, joinPayer)
        .where(and(eq(transfers.id, id), eq(transfers.chainId, ctx.chainId), or(payer.is, recipient.is)))
    : [];
  if (!found) throw new ApiError("not_found", "No transfer has this id. List your transfers to find it.");
  return { ...found, direction: found.row[payer.key] === payer.id ? "sent" : "received" };
}
