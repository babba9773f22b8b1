import type { Address } from "viem";
import type { SpendMode } from "@/lib/ledger/crypto/terms";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import type { LimitedTerms } from "@/lib/ledger/prepare/limited-step";
import { calendarDay } from "@/lib/policy/calendar-day";
import { type Counting, countingOf } from "@/lib/policy/counting";
import { commitmentOf, notInForce, type PolicyInForce, policyOfResource } from "../account/session-policy";
import { HalcyonError } from "../api/errors";

/** What a payment within a policy is built with. */
export interface TermsWithin {
  limited: LimitedTerms;
  /** Within the payment's day. Unix seconds. */
  deadline: bigint;
  counting: Counting | null;
}

/** The day that a payment under a policy names, and the last second of a deadline within it. */
export function dayWithin(
  { document }: PolicyInForce,
  now: bigint,
  deadline: bigint,
): { day: bigint; deadline: bigint } {
  const day = BigInt(calendarDay(document.zone, new Date(1000 * Number(now))));
  const { until } = dayWindow(day);
  return { day, deadline: deadline < until ? deadline : until - 1n };
}

/**
 * Returns what a payment needs to be within a policy.
 *
 * @param to whom the ledger pays
 * @param payee whom the policy counts: the seller, if `to` is a one-time address
 * @throws HalcyonError `policy_violation` for a recipient that the ledger does not allow, `policy_not_in_force`
 */
export function termsWithin(
  policy: PolicyInForce,
  {
    to,
    payee,
    asset,
    commitment,
  }: { to: Address; payee: { handle: string | null; address: Address }; asset: Address; commitment: bigint },
  mode: SpendMode,
  now: bigint,
  { day, deadline }: { day: bigint; deadline: bigint },
): TermsWithin {
  if (!policy.allows(to)) {
    throw new HalcyonError("policy_violation", "The policy on the ledger does not allow this recipient.", {
      reason: "recipient_not_allowed",
    });
  }
  if (commitmentOf(policy, asset) !== commitment) throw notInForce();
  const recipient = { handle: payee.handle, address: payee.address.toLowerCase() };
  return {
    limited: { terms: { mode, day }, policyCommitment: commitment, policy: policy.openingOf(asset) ?? undefined },
    deadline,
    counting: countingOf(policyOfResource(policy.rows), { recipient }, new Date(1000 * Number(now))),
  };
}
