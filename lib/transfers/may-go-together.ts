import type { KeyContext } from "@/lib/context/context";
import { failsAlways } from "./fails-always";
import type { Move } from "./move-of";
import type { PayerRecord } from "./read-payer";
import type { ServerSignedPayment } from "./server-signed-payment";

/**
 * Whether a payment may share a proof with others of its account: a confidential one of the key's own account, which
 * has not turned that off and is under no policy, to a recipient that can be paid for sure. What is found again by a
 * seed or a copy of its own goes alone: approvals, runs of schedules, refunds.
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
