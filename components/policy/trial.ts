import { decimalsOf } from "@/components/money/decimals-of";
import type { PastPayment } from "@/components/vault/methods/past-payments";
import { parseAmount } from "@/lib/base/money";
import { POLICY_ASSETS } from "@/lib/policy/amount-limits";
import type { PolicyDecision } from "@/lib/policy/decide";
import { simulate } from "@/lib/policy/simulate";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** A past payment and the draft's decision about it. */
export interface TriedPayment {
  payment: PastPayment;
  decision: PolicyDecision;
}

/** What a draft would have decided about past payments. */
interface Trial {
  /** Newest first. */
  tried: TriedPayment[];
  allowed: number;
  held: number;
  denied: number;
  /** Payments whose amount can't be decrypted and which were therefore not tested. */
  unreadable: number;
}

/**
 * Applies a policy to past payments, oldest first, as if they were made under it. Runs on data decrypted in this
 * browser.
 */
export function tryPolicy(policy: SpendPolicy, payments: readonly PastPayment[]): Trial {
  const readable = payments.flatMap((payment) => {
    const asset = POLICY_ASSETS.find((symbol) => symbol === payment.asset);
    if (asset === undefined || payment.amount === null) return [];
    const { handle, address, isExact } = payment;
    const amount = parseAmount(payment.amount, decimalsOf(asset));
    return [
      { payment, act: { asset, amount, recipient: { handle, address }, isExact, at: new Date(payment.created_at) } },
    ];
  });
  // A pause is not part of the draft.
  const decisions = simulate(
    policy,
    false,
    readable.map(({ act }) => act),
  );
  const tried = readable.flatMap(({ payment }, index) => {
    const decision = decisions[index];
    return decision ? [{ payment, decision }] : [];
  });
  const count = (outcome: PolicyDecision["outcome"]) =>
    tried.filter(({ decision }) => decision.outcome === outcome).length;
  return {
    tried: tried.reverse(),
    allowed: count("allowed"),
    held: count("held"),
    denied: count("denied"),
    unreadable: payments.length - readable.length,
  };
}
