import type { Hex } from "viem";
import { InsufficientAvailableBalance, LedgerError } from "../crypto/errors";
import { commitmentToHex } from "../crypto/field";
import {
  NO_LIMIT,
  NO_SPENDING,
  type PolicyOpening,
  policyCommitment,
  type SpendLimits,
} from "../crypto/policy-commitment";
import { packTerms, SPEND_MODE, type Terms } from "../crypto/terms";
import type { AvailableWindow } from "../crypto/window";
import { chainAllows } from "../policy/chain-allows";
import { dayWindow } from "../policy/day-window";
import type { PaymentRequest } from "./payment-request";
import { RefusedByPolicy } from "./refused-by-policy";

/** What a payment from an available balance under a policy needs in addition. */
export interface LimitedTerms {
  terms: Terms;
  /** The account's policy commitment for the asset on the ledger; zero if there is none. */
  policyCommitment: bigint;
  /** The opening of the policy commitment. Not needed in mode 2, which opens no policy. */
  policy?: PolicyOpening;
}

/** Placeholder limits in the witness if no policy is opened. */
const UNDECRYPTED: SpendLimits = { perPayment: NO_LIMIT, daily: NO_LIMIT, threshold: NO_LIMIT };

/**
 * The available balance after the payment, without its salt, and the part of the witness that shows why the payment is
 * allowed.
 */
interface LimitedStep {
  limit: bigint;
  window: AvailableWindow;
  document: { mode: Terms["mode"]; day: number; policy_commitment: Hex };
  input: Record<string, bigint>;
}

/**
 * Decides on a payment by the ledger's rules, before anything is built from it.
 *
 * @throws RefusedByPolicy, InsufficientAvailableBalance, InvalidUnits; LedgerError if the policy is not the opening of
 *   its commitment, or the deadline is outside the payment's day
 */
export function limitedStep({ available, amount, deadline }: PaymentRequest, limited: LimitedTerms): LimitedStep {
  const { terms } = limited;
  const packed = packTerms(terms);
  const byWallet = terms.mode === SPEND_MODE.wallet;
  if (!byWallet) {
    const { from, until } = dayWindow(terms.day);
    if (deadline < from || deadline >= until) throw new LedgerError("The deadline lies outside the payment's day.");
  }
  const policy = byWallet ? null : opened(limited);
  const verdict = chainAllows(available, policy, terms, amount);
  if (!verdict.allowed) {
    if (verdict.reason === "insufficient_funds") throw new InsufficientAvailableBalance();
    throw new RefusedByPolicy(verdict.reason);
  }
  const { perPayment, daily, threshold } = policy ?? UNDECRYPTED;
  return {
    limit: verdict.limit,
    window: verdict.window,
    document: {
      mode: terms.mode,
      day: Number(terms.day),
      policy_commitment: commitmentToHex(limited.policyCommitment),
    },
    input: {
      policy: limited.policyCommitment,
      terms: packed,
      limit: available.limit,
      spent: available.window.spent,
      oldDay: available.window.day,
      oldSalt: available.salt,
      amount,
      mode: BigInt(terms.mode),
      day: terms.day,
      perPayment,
      daily,
      threshold,
      policySalt: policy?.salt ?? 0n,
    },
  };
}

/** Returns the opening of the policy commitment; null if nothing may be spent. */
function opened({ policy, policyCommitment: commitment }: LimitedTerms): PolicyOpening | null {
  if (commitment === NO_SPENDING) return null;
  if (policy && policyCommitment(policy) === commitment) return policy;
  throw new LedgerError("This is not the policy that the ledger has. Read it again.");
}
