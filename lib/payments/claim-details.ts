import { and, eq, ne, sql } from "drizzle-orm";
import type { Address } from "viem";
import type { Tx } from "@/db/client";
import { heldPayments } from "@/db/schema/agents";
import { transfers } from "@/db/schema/transfers";
import type { ContextAccount, RelayContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { requestClosed } from "@/lib/payments/requests/accept-payment";
import { NO_DETAILS, type PaymentDetails } from "./details/payment-details";
import { claimAfter } from "./purposes";
import type { RefundClaim } from "./refunds/lock-refunded";

/** Details to record with a payment, as requested. */
export interface DetailsToClaim {
  reference?: string | undefined;
  uniqueReference?: boolean | undefined;
  refund?: RefundClaim | undefined;
  paymentRequest?: string | undefined;
  payoutId?: string | undefined;
  /** The run that it pays, and whether it may be paid after its time. */
  scheduleRun?: { id: string; late: boolean } | undefined;
}

/** Returns the run that a client-signed payment pays: also a missed one, because its owner's client asks for it. */
export const runToPay = (id: string | undefined) => (id === undefined ? undefined : { id, late: true });

/** The payment that claims the details. */
export interface ClaimingPayment {
  payer: ContextAccount;
  /** In lower case. */
  recipient: Address;
  asset: Address;
  confidential: boolean;
}

/**
 * Checks a payment's details in its transaction, and takes the locks that they need: of a unique reference, of the
 * refunded payment, of the payment request. Call it after the available balances are locked.
 *
 * @throws ApiError `invalid_request` for a payment that is for several things, `reference_in_use`,
 *   `refund_not_possible`, `refund_conflict`, `not_found` (`payment_request`), `payment_request_closed`
 */
export async function claimDetails(
  tx: Tx,
  ctx: RelayContext,
  payment: ClaimingPayment,
  details: DetailsToClaim | undefined,
): Promise<PaymentDetails> {
  if (!details) return NO_DETAILS;
  const { reference, uniqueReference, refund } = details;
  if (uniqueReference && reference !== undefined) await claimReference(tx, ctx, payment.payer, reference);
  return {
    ...(await claimAfter(tx, ctx, payment, details)),
    reference: reference ?? null,
    refundChecked: refund ? refund.counted !== undefined : null,
  };
}

/** One payment of a batch, with its details. */
export interface ClaimOfBatch {
  ctx: RelayContext;
  payment: ClaimingPayment;
  details: DetailsToClaim | undefined;
}

/**
 * Like {@link claimDetails}, for the payments of a batch, in order.
 *
 * @param before payments that the same transaction has claimed but not written yet
 * @throws ApiError also `reference_in_use` when two of them want the same unique reference, and
 *   `payment_request_closed` when two name the same payment request
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
    const sameRequest = ({ details: other }: ClaimOfBatch) => other?.paymentRequest === details?.paymentRequest;
    if (details?.paymentRequest && all.some((other) => other !== claim && sameRequest(other)))
      throw requestClosed("processing");
    claimed.push(await claimDetails(tx, ctx, payment, details));
  }
  return claimed;
}

/** Refuses a reference with which the same key, or the wallet, has already paid or has a payment awaiting approval. */
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
        // The status is a literal, not a parameter, so that the partial index serves the query.
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
