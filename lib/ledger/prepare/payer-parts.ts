import type { Address, Hex } from "viem";
import { toHex } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment } from "../crypto/commitments";
import { wordToHex } from "../crypto/field";
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

/** Returns the words of a budget that becomes `next`, and its next encrypted state. */
export function budgetParts(request: BudgetRequest, next: BudgetOpening): BudgetParts {
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
      next_state: nextStateOf(secret, { scope, account, asset, commitment: newBudget }, next),
    },
  };
}

/** Returns the counters for the next state; if the request has none, those of its budget. */
export function countersOf({ counters, budget }: BudgetRequest): { counters?: Uint8Array } {
  const kept = counters ?? budget.counters;
  return kept === undefined ? {} : { counters: kept };
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
