import { and, eq, or } from "drizzle-orm";
import { db } from "@/db/client";
import { transfers } from "@/db/schema/transfers";
import type { Asset } from "@/lib/base/assets";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { isId } from "@/lib/base/ids";
import { scopeOf } from "@/lib/chain/scope-of";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { refundBinding } from "@/lib/ledger/crypto/refund-binding";
import type { RefundClaim } from "./lock-refunded";
import { refundAccount } from "./refund-account";
import { refundNotPossible } from "./refund-not-possible";

/** The fields of a body about the payment that it refunds. */
interface RefundInput {
  refund_of: string;
  refunds_counted?: number | undefined;
  to?: string | undefined;
  confidential: boolean;
}

/**
 * Returns the received payment that a refund gives back, and where the refund goes: to the address that paid or, if an
 * agent's owner has set that, to the owner's address. No handle is looked up.
 *
 * @param payer who refunds: the recipient of the payment
 * @throws ApiError `not_found` (also for others' payments), `refund_not_possible`
 */
export async function findRefund(
  ctx: Context,
  payer: ContextAccount,
  asset: Asset,
  input: RefundInput,
): Promise<RefundClaim> {
  const row = await findRefunded(ctx, input.refund_of);
  if (row.kind === "fund") throw refundNotPossible("own");
  if (row.recipientId !== payer.id) throw refundNotPossible(row.recipientRootId === payer.rootId ? "agents" : "sent");
  if (row.refundOf !== null) throw refundNotPossible("refund");
  if (row.kind === "release" || row.note === null) throw refundNotPossible("public");
  if (row.status === "failed") throw refundNotPossible("failed");
  if (row.status !== "confirmed") throw refundNotPossible("not_final");
  if (row.payerRootId === payer.rootId) throw refundNotPossible("own");
  if (row.asset !== asset.address) throw refundNotPossible("asset");
  if (!input.confidential) throw refundNotPossible("unencrypted");
  const { address, handle } = await refundAccount(row.payerId);
  if (input.to !== undefined && ![address, `@${handle}`].includes(input.to.toLowerCase()))
    throw refundNotPossible("to");
  const scope = await scopeOf(ctx.chainId);
  const note = { account: payer.address, asset: row.asset, note: hexToCommitment(row.note) };
  return {
    transferId: row.id,
    address,
    to: `@${handle}`,
    binding: refundBinding(scope, note),
    counted: input.refunds_counted,
  };
}

async function findRefunded(ctx: Context, id: string) {
  const { account } = ctx;
  const mine =
    account.type === "agent"
      ? or(eq(transfers.payerId, account.id), eq(transfers.recipientId, account.id))
      : or(eq(transfers.payerRootId, account.id), eq(transfers.recipientRootId, account.id));
  const [row] = isId("transfer", id)
    ? await db()
        .select()
        .from(transfers)
        .where(and(eq(transfers.id, id), eq(transfers.chainId, ctx.chainId), mine))
    : [];
  if (row) return row;
  throw new ApiError("not_found", "No transfer has this id. List your transfers to find it.", { param: "refund_of" });
}
