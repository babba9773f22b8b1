import { budgetCommitment } from "../crypto/commitments";
import { wordToHex } from "../crypto/field";
import { budgetSaltOf } from "../crypto/seed";
import { NO_WINDOW } from "../crypto/window";
import type { PreparedTransfer } from "./documents";
import { lowerCase } from "./next-state";
import { noteOf, noteParts } from "./note-parts";
import { budgetParts, keptOf, payerCopyOf } from "./payer-parts";
import { assertNotLimited, limitAfter, type NotePaymentRequest, seedAndTag } from "./payment-request";
import { makePlan, type Plan } from "./plan";

/**
 * Plans a confidential payment of an account without a policy: the budget minus the amount, a note of exactly the
 * amount, both copies, the memo, and the next encrypted state. To retry, call it again with the same seed, recipient
 * and amount and the newer budget, which results in the same note.
 *
 * @throws InvalidUnits, InsufficientBudget, UnusableViewingKey, InvalidMemo; LedgerError for a budget under a policy
 */
export async function planTransfer(request: NotePaymentRequest): Promise<Plan<PreparedTransfer>> {
  const { scope, amount, budget } = request;
  assertNotLimited(budget);
  const { seed, tag } = seedAndTag(request);
  const limit = limitAfter(budget.limit, amount);
  const salt = budgetSaltOf(seed, scope, budgetCommitment(budget));
  const next = { limit, salt, window: NO_WINDOW, ...keptOf(request) };
  const madeBy = request.blind && wordToHex(noteOf(seed, scope, request.to, request.asset, amount).word);
  const { oldBudget, newBudget, document } = budgetParts(request, next, madeBy);
  // Encryption is asynchronous, so run both concurrently.
  const [note, payerCopy] = await Promise.all([
    noteParts(seed, request),
    payerCopyOf(request, request.account, next, { amount, seed, tag }),
  ]);
  const draft = {
    kind: "transfer" as const,
    ...document,
    to: lowerCase(request.to),
    policy_version: request.policyVersion.toString(),
    payer_ciphertext: payerCopy,
    ...note.document,
  };
  return makePlan<PreparedTransfer>(scope, draft, {
    oldBudget,
    newBudget,
    note: note.word,
    limit: budget.limit,
    oldSalt: budget.salt,
    newSalt: salt,
    amount,
    noteSalt: note.opening.salt,
  });
}
