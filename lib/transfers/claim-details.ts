import { and, eq, ne, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { transfers } from "@/db/schema/transfers";
import type { ContextAccount, RelayContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { acceptPayment } from "@/lib/payment-requests/accept-payment";
import { NO_DETAILS, type PaymentDetails } from "./details/payment-details";
import { lockRefunded, type RefundClaim } from "./refunds/lock-refunded";

/** What a payment is to be recorded with, as it was asked for. */
export interface DetailsToClaim {
  reference?: string | undefined;
  uniqueReference?: boolean | undefined;
  refund?: RefundClaim | undefined;
  paymentRequest?: string | undefined;
  payoutId?: string | undefined;
  scheduleRunId?: string | undefined;
}

/** The payment that claims it. */
export interface ClaimingPayment {
  payer: ContextAccount;
  /** Lower case. */
  recipient: Address;
  asset: Address;
  confidential: boolean;
}

/**
 * Checks what a payment says beside its money, in its transaction, and takes the locks that go with it: of a unique
 * reference, of the payment that is refunded, of the payment request. Call it after the budgets are locked.
 *
 * @throws ApiError `reference_in_use`, `refund_not_possible`, `refund_conflict`, `not_found` (`payment_request`)
 */
export async function claimDetails(
  tx: Tx,
  ctx: RelayContext,
  payment: ClaimingPayment,
  details: DetailsToClaim | undefined,
): Promise<PaymentDetails> {
  if (!details) return NO_DETAILS;
  const { reference, uniqueReference, refund, paymentRequest } = details;
  if (uniqueReference && reference !== undefined) await claimReference(tx, ctx, payment.payer, reference);
  if (refund) await lockRefunded(tx, ctx.chainId, refund);
  if (paymentRequest !== undefined) await acceptPayment(tx, ctx, paymentRequest, payment);
  return {
    reference: reference ?? null,
    refundOf: refund?.transferId ?? null,
    refundChecked: refund ? refund.counted !== undefined : null,
    paymentRequestId: paymentRequest ?? null,
    payoutId: details.payoutId ?? null,
    scheduleRunId: details.scheduleRunId ?? null,
  };
}

/** One of payments made together, and what it says beside its money. */
export interface ClaimOfBatch {
  ctx: RelayContext;
  payment: ClaimingPayment;
  details: DetailsToClaim | undefined;
}

/**
 * As {@link claimDetails}, of payments made together, in their order.
 *
 * @param before what the same transaction has claimed, and not written yet
 * @throws also `reference_in_use` when two of them want the same reference for themselves
 */
export async function claimBatch(
  tx: Tx,
  list: readonly ClaimOfBatch[],
  before: readonly ClaimOfBatch[] = [],
): Promise<PaymentDetails[]> {
  const all = [...before, ...list];
  const claimed: PaymentDetails[] = [];
  for (const [index, claim] of list.entries()) {
    const { ctx, payment, details } = claim;
    const sameReference = ({ details: other }: ClaimOfBatch) => other?.reference === details?.reference;
    const isTwice = details?.uniqueReference && all.some((other) => other !== claim && sameReference(other));
    if (isTwice) throw referenceInUse(`payments.${index}.reference`);
    claimed.push(await claimDetails(tx, ctx, payment, details));
  }
  return claimed;
}

/** What was paid, or waits for approval, with this reference by the same key, or by the wallet. */
async function claimReference(tx: Tx, ctx: RelayContext, { rootId }: ContextAccount, reference: string): Promise<void> {
  const keyId = ctx.actor === "key" ? ctx.keyId : null;
  const lock = `reference ${ctx.chainId} ${keyId ?? rootId} ${reference}`;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
  const byKey = keyId === null ? sql`${transfers.keyId} is null` : eq(transfers.keyId, keyId);
  const [paid] = await tx
    .select({ id: transfers.id })
    .from(transfers)
    .where(
      and(
        eq(transfers.payerRootId, rootId),
        eq(transfers.chainId, ctx.chainId),
        eq(transfers.reference, reference),
        byKey,
        ne(transfers.status, "failed"),
      ),
    )
    .limit(1);
  if (paid) throw referenceInUse("reference");
  if (keyId === null) return;
  const [held] = await tx
    .select({ id: heldPayments.id })
    .from(heldPayments)
    .where(
      and(
        eq(heldPayments.rootId, rootId),
        eq(heldPayments.chainId, ctx.chainId),
        eq(heldPayments.reference, reference),
        eq(heldPayments.keyId, keyId),
        // Written out, so that the partial index serves it.
        sql`${heldPayments.status} = 'pending_approval' and ${heldPayments.expiresAt} > ${new Date().toISOString()}`,
      ),
    )
    .limit(1);
  if (held) throw referenceInUse("reference");
}

function referenceInUse(param: string): ApiError {
  return new ApiError(
    "reference_in_use",
    "A payment with this reference was made already. List the transfers with this reference, or choose another one.",
    { param },
  );
}
