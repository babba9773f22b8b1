import type { Hex } from "viem";
import { InsufficientBudget, LedgerError } from "../crypto/errors";
import { wordToHex } from "../crypto/field";
import { NO_LIMIT, NO_SPENDING, type PolicyOpening, policyWord, type SpendLimits } from "../crypto/policy-word";
import { packTerms, SPEND_MODE, type Terms } from "../crypto/terms";
import type { BudgetWindow } from "../crypto/window";
import { chainAllows } from "../policy/chain-allows";
import { dayWindow } from "../policy/day-window";
import type { PaymentRequest } from "./payment-request";
import { RefusedByPolicy } from "./refused-by-policy";

/** What a payment from a ruled budget needs beside the payment. */
export interface RuledTerms {
  terms: Terms;
  /** The policy word of account and asset on the ledger; zero where there is none. */
  policyWord: bigint;
  /** Its opening. Not needed in mode 2, which opens no policy. */
  policy?: PolicyOpening;
}

/** Limits that stand in the witness where no policy is opened. */
const UNOPENED: SpendLimits = { perPayment: NO_LIMIT, daily: NO_LIMIT, threshold: NO_LIMIT };

/** The budget after the payment without its salt, and the part of the witness that shows why it is allowed. */
interface RuledStep {
  limit: bigint;
  window: BudgetWindow;
  document: { mode: Terms["mode"]; day: number; policy_word: Hex };
  input: Record<string, bigint>;
}

/**
 * Decides a payment by the rules of the ledger before anything is made of it.
 *
 * @throws RefusedByPolicy, InsufficientBudget, InvalidUnits; LedgerError when the policy does not open its word, or the
 * deadline lies outside the day the payment names
 */
export function ruledStep({ budget, amount, deadline }: PaymentRequest, ruled: RuledTerms): RuledStep {
  const { terms } = ruled;
  const packed = packTerms(terms);
  const byWallet = terms.mode === SPEND_MODE.wallet;
  if (!byWallet) {
    const { from, until } = dayWindow(terms.day);
    if (deadline < from || deadline >= until) throw new LedgerError("The deadline lies outside the payment's day.");
  }
  const policy = byWallet ? null : opened(ruled);
  const verdict = chainAllows(budget, policy, terms, amount);
  if (!verdict.allowed) {
    if (verdict.reason === "insufficient_funds") throw new InsufficientBudget();
    throw new RefusedByPolicy(verdict.reason);
  }
  const { perPayment, daily, threshold } = policy ?? UNOPENED;
  return {
    limit: verdict.limit,
    window: verdict.window,
    document: { mode: terms.mode, day: Number(terms.day), policy_word: wordToHex(ruled.policyWord) },
    input: {
      policy: ruled.policyWord,
      terms: packed,
      limit: budget.limit,
      spent: budget.window.spent,
      oldDay: budget.window.day,
      oldSalt: budget.salt,
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

/** The opening of the policy word; null where nothing may be spent. */
function opened({ policy, policyWord: word }: RuledTerms): PolicyOpening | null {
  if (word === NO_SPENDING) return null;
  if (policy && policyWord(policy) === word) return policy;
  throw new LedgerError("This is not the policy that the ledger has. Read it again.");
}
