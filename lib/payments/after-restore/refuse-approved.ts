import { db, type Tx } from "@/db/client";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { equalBytes } from "@/lib/ledger/crypto/bytes";
import { AlreadyPaid } from "@/lib/payments/already-paid";
import { lostIdempotencyKeys, requireNothingRebuilt, unknownApproval } from "./lost-idempotency-keys";
import { readTags } from "./read-tags";

/** A held payment that is about to be approved. */
interface ToApprove {
  agentId: string;
  /**
   * The tag of the request that asked for it; null if the owner's client has signed the payment, which has checked
   * the chain.
   */
  tag: Uint8Array | null;
  /** Whether it is a public payment. It leaves no note by which the ledger would refuse it a second time. */
  isPublic: boolean;
}

/**
 * Refuses an approval by key that may already have been given before the service was restored from a backup that lacks
 * it. The tag of the agent's request is in the payer's copy of the payment, and the owner's client submits it.
 *
 * @returns a check to run inside the transaction that pays
 * @throws ApiError `transaction_not_found` for a payment that was made; `sync_required` while this is unknown
 */
export async function refuseApproved(
  ctx: Context,
  { agentId, tag, isPublic }: ToApprove,
): Promise<(tx: Tx) => Promise<void>> {
  const isAtRisk = ctx.actor === "key" && (ctx.idempotencyKey !== undefined || (isPublic && tag !== null));
  if (!isAtRisk) return async () => {};
  const unknown = await lostIdempotencyKeys(db(), ctx);
  if (unknown) {
    const { payments, isComplete } = await readTags(ctx).catch((error: unknown) => {
      throw error instanceof ApiError && error.code === "key_forbidden" ? unknownApproval(unknown.until) : error;
    });
    const isTagged = (other: Uint8Array | null) => tag !== null && other !== null && equalBytes(other, tag);
    if (payments.some(({ view, tag: other }) => view.row.payerId === agentId && isTagged(other)))
      throw new AlreadyPaid("paid");
    if (!isComplete) throw unknownApproval(unknown.until);
  }
  return (tx) => requireNothingRebuilt(tx, ctx, unknown, unknownApproval);
}
