import {
  type AbandonInput,
  type AbandonResult,
  type BudgetLoss,
  budgetLoss as examine,
  abandon as giveUp,
} from "@/sdk/abandon";
import type { Context } from "@/sdk/context";

/** What is lost with a budget that does not open, and what waits behind it; null when it opens. */
export function budgetLoss(context: Context, input: AbandonInput): Promise<BudgetLoss | null> {
  return examine(context, input);
}

/** Gives up a budget that does not open; the wallet signs it. Returns when the chain shows it. */
export function abandon(context: Context, input: AbandonInput): Promise<AbandonResult> {
  return giveUp(context, input);
}
