import { paymentIdOf } from "../crypto/payment-id-of";
import { publicRatchet } from "../crypto/ratchet";
import type { SignedSpendPublic } from "./documents";
import { type LimitedTerms, limitedStep } from "./limited-step";
import { lowerCase } from "./next-state";
import { availableParts, keptOf, payerCopyOf } from "./payer-parts";
import { type PublicPaymentRequest, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";
import { publicParts } from "./public-parts";

/**
 * Plans a public payment from an available balance under a policy, to any address. The new available balance's salt is
 * derived from the old one. To retry, call it again with the same seed, which results in the same payment id.
 *
 * @throws RefusedByPolicy, InvalidUnits, InsufficientAvailableBalance, UnusableViewingKey, InvalidMemo; LedgerError if
 *   terms, policy and deadline don't fit together
 */
export async function planSpendPublic(request: PublicPaymentRequest & LimitedTerms): Promise<Plan<SignedSpendPublic>> {
  const { scope, amount, available } = request;
  const { seed, tag } = seedAndTag(request);
  const step = limitedStep(request, request);
  const salt = publicRatchet(available.salt);
  const next = { limit: step.limit, salt, window: step.window, ...keptOf(request) };
  const { oldAvailable, newAvailable, document } = availableParts(
    request,
    next,
    request.blind && paymentIdOf(seed, scope),
  );
  const draft = {
    kind: "spend_public" as const,
    ...document,
    to: lowerCase(request.to),
    policy_version: request.policyVersion.toString(),
    payer_ciphertext: await payerCopyOf(request, request.account, next, { amount, seed, tag }),
    ...(await publicParts(seed, request, newAvailable)),
    ...step.document,
  };
  return makePlan<SignedSpendPublic>(scope, draft, { oldAvailable, newAvailable, ...step.input });
}
