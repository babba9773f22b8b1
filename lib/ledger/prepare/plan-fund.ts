import type { Address } from "viem";
import { toHex } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment } from "../crypto/commitments";
import { assertUnits, wordToHex } from "../crypto/field";
import { paymentIdOf } from "../crypto/payment-id-of";
import { budgetSaltOf } from "../crypto/seed";
import { sealPayerMemo } from "../seal/memo";
import type { PreparedFund } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import { budgetParts, keptOf, payerCopyOf } from "./payer-parts";
import { type BudgetRequest, limitAfter, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

/** `payerViewingKey` is the owner's X, with which both copies are read. Amounts in units. */
export interface FundRequest extends BudgetRequest {
  to: Address;
  amount: bigint;
  memo?: string;
  /** The opening of the receiver's newest budget state; EMPTY_BUDGET_OPENING if it never had one. */
  toBudget: BudgetOpening;
  /** k if the owner receives, k_i if the agent does. */
  toSecret: Uint8Array;
}

/**
 * Plans a hidden move between the budgets of an owner and one of its agents, in either direction. Both windows stay as
 * they are. Both sides have a payer's copy with the same seed; their budget salts differ, because each also depends on
 * the word it replaces. To retry, call it again with the same seed, which results in the same payment id.
 *
 * @throws InvalidUnits (also if the receiver's budget would reach 2^64), InsufficientBudget, UnusableViewingKey,
 *   InvalidMemo
 */
export async function planFund(request: FundRequest): Promise<Plan<PreparedFund>> {
  const { scope, account, to, asset, amount, budget, toBudget, memo } = request;
  const { seed, tag } = seedAndTag(request);
  const limit = limitAfter(budget.limit, amount);
  const fromSalt = budgetSaltOf(seed, scope, budgetCommitment(budget));
  const fromNext = { limit, salt: fromSalt, window: budget.window, ...keptOf(request) };
  const toOld = budgetCommitment(toBudget);
  const toNext: BudgetOpening = {
    limit: toBudget.limit + amount,
    salt: budgetSaltOf(seed, scope, toOld),
    window: toBudget.window,
    ...keptOf({ budget: toBudget }),
  };
  assertUnits(toNext.limit);
  const { oldBudget, newBudget, document } = budgetParts(request, fromNext);
  const toNew = budgetCommitment(toNext);
  const copy = { amount, seed, tag };
  const draft = {
    kind: "fund" as const,
    ...document,
    to: lowerCase(to),
    payment_id: paymentIdOf(seed, scope),
    to_old_budget: wordToHex(toOld),
    to_new_budget: wordToHex(toNew),
    payer_ciphertext: await payerCopyOf(request, account, fromNext, copy),
    to_ciphertext: await payerCopyOf(request, to, toNext, copy),
    ...(memo !== undefined && { memo_ciphertext: toHex(sealPayerMemo(scope, newBudget, seed, memo)) }),
    to_next_state: nextStateOf(request.toSecret, { scope, account: to, asset, commitment: toNew }, toNext),
  };
  return makePlan<PreparedFund>(scope, draft, {
    fromOld: oldBudget,
    fromNew: newBudget,
    toOld,
    toNew,
    amount,
    fromLimit: budget.limit,
    fromOldSalt: budget.salt,
    fromNewSalt: fromNext.salt,
    fromSpent: budget.window.spent,
    fromDay: budget.window.day,
    toLimit: toBudget.limit,
    toOldSalt: toBudget.salt,
    toNewSalt: toNext.salt,
    toSpent: toBudget.window.spent,
    toDay: toBudget.window.day,
  });
}
