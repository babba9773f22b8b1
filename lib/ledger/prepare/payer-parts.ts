import type { Address, Hex } from "viem";
import { toHex } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment } from "../crypto/commitments";
import { wordToHex } from "../crypto/field";
import { TAGS_AT } from "../seal/budget-state";
import { sealPayerCopy } from "../seal/payer-copy";
import type { SealedStateDocument } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import type { BudgetRequest } from "./payment-request";

/** The change of one budget: its words, and its fields in the document. */
interface BudgetParts {
  oldBudget: bigint;
  newBudget: bigint;
  document: {
    account: Address;
    asset: Address;
    old_budget: Hex;
    new_budget: Hex;
    deadline: string;
    next_state: SealedStateDocument;
  };
}

/**
 * Returns the words of a budget that becomes `next`, and its next encrypted state.
 *
 * @param madeBy the note or payment id, if a client with a home key makes the payment
 */
export function budgetParts(request: BudgetRequest, next: BudgetOpening, madeBy?: Hex): BudgetParts {
  const { scope, account, asset, budget, deadline, secret } = request;
  const [oldBudget, newBudget] = [budgetCommitment(budget), budgetCommitment(next)];
  return {
    oldBudget,
    newBudget,
    document: {
      account: lowerCase(account),
      asset: lowerCase(asset),
      old_budget: wordToHex(oldBudget),
      new_budget: wordToHex(newBudget),
      deadline: deadline.toString(),
      next_state: nextStateOf(secret, { scope, account, asset, commitment: newBudget }, next, madeBy),
    },
  };
}

/** Returns what the next state keeps beside its opening; what the request doesn't have, that of its budget. */
export function keptOf({
  counters,
  blind,
  budget,
}: Pick<BudgetRequest, "counters" | "blind" | "budget">): Pick<BudgetOpening, "counters" | "blind"> {
  const counted = counters ?? budget.counters;
  // Its tags are those of the payments that made the state before.
  const kept = blind ?? budget.blind?.slice().fill(0, TAGS_AT);
  return { ...(counted && { counters: counted }), ...(kept && { blind: kept }) };
}

/**
 * Returns the payer's copy of the change of `account`'s budget to `next`.
 *
 * @throws UnusableViewingKey
 */
export async function payerCopyOf(
  { scope, asset, payerViewingKey }: Pick<BudgetRequest, "scope" | "asset" | "payerViewingKey">,
  account: Address,
  next: BudgetOpening,
  copy: { amount: bigint; seed: Uint8Array; tag: Uint8Array },
): Promise<Hex> {
  const ref = { scope, account, asset, commitment: budgetCommitment(next) };
  return toHex(await sealPayerCopy(payerViewingKey, ref, { ...copy, limit: next.limit, window: next.window }));
}
