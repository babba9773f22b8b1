import { availableCommitment } from "../crypto/commitments";
import { paymentIdOf } from "../crypto/payment-id-of";
import { availableSaltOf } from "../crypto/payment-seed";
import { NO_WINDOW } from "../crypto/window";
import type { SignedRelease } from "./documents";
import { lowerCase } from "./next-state";
import { availableParts, keptOf, payerCopyOf } from "./payer-parts";
import { assertNotLimited, limitAfter, type PublicPaymentRequest, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";
import { publicParts } from "./public-parts";

/**
 * Plans a public payment of an account without a policy, to any address. The amount is in clear in the document and on
 * chain. To retry, call it again with the same seed, which results in the same payment id.
 *
 * @throws InvalidUnits, InsufficientAvailableBalance, UnusableViewingKey, InvalidMemo; LedgerError for an available
 *   balance under a policy
 */
export async function planRelease(request: PublicPaymentRequest): Promise<Plan<SignedRelease>> {
  const { scope, amount, available } = request;
  assertNotLimited(available);
  const { seed, tag } = seedAndTag(request);
  const limit = limitAfter(available.limit, amount);
  const salt = availableSaltOf(seed, scope, availableCommitment(available));
  const next = { limit, salt, window: NO_WINDOW, ...keptOf(request) };
  const { oldAvailable, newAvailable, document } = availableParts(
    request,
    next,
    request.blind && paymentIdOf(seed, scope),
  );
  const draft = {
    kind: "release" as const,
    ...document,
    to: lowerCase(request.to),
    policy_version: request.policyVersion.toString(),
    payer_ciphertext: await payerCopyOf(request, request.account, next, { amount, seed, tag }),
    ...(await publicParts(seed, request, newAvailable)),
  };
  const opened = { limit: available.limit, oldSalt: available.salt, newSalt: salt };
  return makePlan<SignedRelease>(scope, draft, { oldAvailable, newAvailable, amount, ...opened });
}
