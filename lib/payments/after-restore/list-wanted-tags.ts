import { and, asc, eq, gt, isNull } from "drizzle-orm";
import { z } from "zod";
import { db } from "@/db/client";
import { rebuiltPayments, transfers } from "@/db/schema/transfers";
import { requireOwner } from "@/lib/agents/require-owner";
import type { SessionContext } from "@/lib/base/context/context";
import { earliestOpenPayment } from "@/lib/base/earliest-payment";
import type { Id } from "@/lib/base/ids";
import { PAGE_QUERY } from "@/lib/base/paging";
import { joinPayer, payers, type TransferView, viewColumns } from "@/lib/payments/transfer-view";
import { TransferId } from "./hand-over-tags";
import { rebuiltOf, taggedPayment } from "./read-tags";

/** The query of `GET /api/request-tags`: tags of payments after the transfer `after`. */
export const WantedTagsQuery = z.strictObject({ after: TransferId.optional(), limit: PAGE_QUERY.limit });
export type WantedTagsQuery = z.infer<typeof WantedTagsQuery>;

interface WantedTag extends Pick<TransferView, "row" | "payerAddress"> {
  block: bigint;
}

/**
 * Returns the rebuilt payments of the account and its agents whose tags the owner's client has not submitted, ordered
 * by id: those of the last day for idempotency keys, and older ones for runs of schedules.
 */
export async function listWantedTags(
  ctx: SessionContext,
  { after, limit }: WantedTagsQuery,
  now = new Date(),
): Promise<{ list: WantedTag[]; hasMore: boolean }> {
  requireOwner(ctx);
  const rows = await db()
    .select({ ...viewColumns, block: rebuiltPayments.block })
    .from(rebuiltPayments)
    .innerJoin(transfers, eq(transfers.id, rebuiltPayments.transferId))
    .innerJoin(payers, joinPayer)
    .where(
      and(
        rebuiltOf(ctx.account.id, ctx.chainId, earliestOpenPayment(now)),
        isNull(rebuiltPayments.tag),
        after === undefined ? undefined : gt(rebuiltPayments.transferId, after),
      ),
    )
    .orderBy(asc(rebuiltPayments.transferId))
    .limit(limit + 1);
  return { list: rows.slice(0, limit), hasMore: rows.length > limit };
}

/** Serializes them, with what identifies each in the account's own events. */
export function toWantedTags({ list, hasMore }: Awaited<ReturnType<typeof listWantedTags>>) {
  const payments = list.map(({ block, ...view }) => {
    const { payer, asset, knownBy, newCommitment } = taggedPayment(view);
    return {
      transfer_id: view.row.id as Id<"transfer">,
      account: payer,
      asset_address: asset,
      known_by: knownBy,
      new_commitment: newCommitment,
      block: block.toString(),
    };
  });
  return { payments, has_more: hasMore };
}
