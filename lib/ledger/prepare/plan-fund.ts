import { toHex } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment } from "../crypto/commitments";
import { assertUnits, wordToHex } from "../crypto/field";
import { budgetSaltOf, newSeed } from "../crypto/seed";
import { sealPayerCopy } from "../seal/copies";
import { sealPayerMemo } from "../seal/memo";
import type { PreparedFund } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import { makePlan, type Plan } from "./plan";
import { budgetAfter, type PaymentRequest } from "./plan-transfer";
import { NOTHING_COUNTED } from "./witness";

/** `payerViewingKey` is the owner's X: it reads both copies. */
export interface FundRequest extends PaymentRequest {
  /** The opening of the receiver's newest budget state; EMPTY_BUDGET_OPENING when it never had one. */
  toBudget: BudgetOpening;
  /** s for the owner, s_i for the agent, whichever receives. */
  toSecret: Uint8Array;
}

/**
 * Plans a hidden move between the budgets of an owner and one of its agents, either way. Each side has its own
 * payer copy of the one seed; their budget salts differ, for each follows from the word it replaces as well.
 *
 * @throws InvalidUnits also when the receiver's budget would reach 2^64, InsufficientBudget, UnusableViewingKey,
 * InvalidMemo
 */
export async function planFund(request: FundRequest): Promise<Plan<PreparedFund>> {
  const { scope, asset, amount, budget, toBudget, payerViewingKey, memo } = request;
  const seed = request.seed ?? newSeed();
  const [fromOld, toOld] = [budgetCommitment(budget), budgetCommitment(toBudget)];
  const fromNext = budgetAfter(request, budgetSaltOf(seed, scope, fromOld));
  const toSalt = budgetSaltOf(seed, scope, toOld);
  const toNext: BudgetOpening = { ...toBudget, limit: toBudget.limit + amount, salt: toSalt };
  assertUnits(toNext.limit);
  const words = { fromOld, fromNew: budgetCommitment(fromNext), toOld, toNew: budgetCommitment(toNext) };
  const fromRef = { scope, account: request.account, asset, commitment: words.fromNew };
  const toRef = { scope, account: request.to, asset, commitment: words.toNew };
  const fromCopy = { amount, limit: fromNext.limit, seed };
  const toCopy = { amount, limit: toNext.limit, seed };
  const draft = {
    kind: "fund" as const,
    account: lowerCase(request.account),
    to: lowerCase(request.to),
    asset: lowerCase(asset),
    old_budget: wordToHex(words.fromOld),
    new_budget: wordToHex(words.fromNew),
    to_old_budget: wordToHex(words.toOld),
    to_new_budget: wordToHex(words.toNew),
    deadline: request.deadline.toString(),
    payer_ciphertext: toHex(await sealPayerCopy(payerViewingKey, fromRef, fromCopy)),
    to_ciphertext: toHex(await sealPayerCopy(payerViewingKey, toRef, toCopy)),
    ...(memo === undefined ? {} : { memo_ciphertext: toHex(sealPayerMemo(scope, words.fromNew, seed, memo)) }),
    next_state: nextStateOf(request.secret, fromRef, fromNext),
    to_next_state: nextStateOf(request.toSecret, toRef, toNext),
  };
  return makePlan<PreparedFund>(scope, draft, {
    ...words,
    amount,
    fromLimit: budget.limit,
    fromSpent: NOTHING_COUNTED.spent,
    fromDay: NOTHING_COUNTED.day,
    fromOldSalt: budget.salt,
    fromNewSalt: fromNext.salt,
    toLimit: toBudget.limit,
    toSpent: NOTHING_COUNTED.spent,
    toDay: NOTHING_COUNTED.day,
    toOldSalt: toBudget.salt,
    toNewSalt: toNext.salt,
  });
}
