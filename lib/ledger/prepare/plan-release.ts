import { toHex } from "../crypto/bytes";
import { budgetCommitment } from "../crypto/commitments";
import { wordToHex } from "../crypto/field";
import { budgetSaltOf, newSeed } from "../crypto/seed";
import { sealPayerCopy } from "../seal/copies";
import { sealPayerMemo, sealRecipientMemo } from "../seal/memo";
import type { PreparedRelease } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import { makePlan, type Plan } from "./plan";
import { budgetAfter, type PaymentRequest } from "./plan-transfer";

interface ReleaseRequest extends PaymentRequest {
  /** X of the recipient when it is enrolled: a memo is then sealed to it as well. */
  recipientViewingKey?: Uint8Array;
}

/**
 * Plans a public payment from the budget to any address. The amount stands in clear in the document and on chain.
 *
 * @throws InvalidUnits, InsufficientBudget, UnusableViewingKey, InvalidMemo
 */
export async function planRelease(request: ReleaseRequest): Promise<Plan<PreparedRelease>> {
  const { scope, asset, amount, budget, memo, recipientViewingKey } = request;
  const seed = request.seed ?? newSeed();
  const oldBudget = budgetCommitment(budget);
  const next = budgetAfter(request, budgetSaltOf(seed, scope, oldBudget));
  const newBudget = budgetCommitment(next);
  const ref = { scope, account: request.account, asset, commitment: newBudget };
  const payerCiphertext = await sealPayerCopy(request.payerViewingKey, ref, { amount, limit: next.limit, seed });
  const memos =
    memo === undefined
      ? {}
      : {
          memo_ciphertext: toHex(sealPayerMemo(scope, newBudget, seed, memo)),
          ...(recipientViewingKey && {
            recipient_memo_ciphertext: toHex(
              await sealRecipientMemo(recipientViewingKey, { ...ref, account: request.to }, memo),
            ),
          }),
        };
  const draft = {
    kind: "release" as const,
    account: lowerCase(request.account),
    to: lowerCase(request.to),
    asset: lowerCase(asset),
    old_budget: wordToHex(oldBudget),
    new_budget: wordToHex(newBudget),
    amount: amount.toString(),
    deadline: request.deadline.toString(),
    payer_ciphertext: toHex(payerCiphertext),
    ...memos,
    next_state: nextStateOf(request.secret, ref, next),
  };
  return makePlan<PreparedRelease>(scope, draft, {
    oldBudget,
    newBudget,
    amount,
    limit: budget.limit,
    oldSalt: budget.salt,
    newSalt: next.salt,
  });
}
