import type { KeyContext } from "@/lib/base/context/context";
import { failsAlways } from "./fails-always";
import type { Move } from "./payment-kind";
import type { PayerRecord } from "./read-payer";
import type { ServerSignedPayment } from "./server-signed-payment";

/**
 * Reports whether a payment may share a proof with other payments of its account. It must be a confidential payment of
 * the key's own account, which has not turned batches off and is under no policy, to a recipient that can certainly be
 * paid. Payments that are found again by their own seed or copy are paid on their own: approvals, runs of schedules,
 * refunds.
 */
export function mayGoTogether(
  ctx: KeyContext,
  { payer, confidential, receiver, seed, tag, details, deadlineSeconds }: ServerSignedPayment,
  says: PayerRecord | null,
  { isFund, hasPolicy }: Move,
): boolean {
  const isPlain = confidential && !isFund && !hasPolicy && payer.id === ctx.account.id && payer.type !== "agent";
  const isFree = !seed && !tag && !details?.refund && deadlineSeconds === undefined && ctx.scheduleId === undefined;
  const isSure = receiver.key?.pending === false && !failsAlways(ctx.chainId, receiver.recipient);
  return isPlain && isFree && isSure && says?.batches === true;
}
