import { SPEND_MODE, type Terms } from "./terms";
import type { BudgetWindow } from "./window";

/**
 * The window after a payment of `amount` units under `terms`. A later day starts a new count. An earlier one counts
 * under the day that is there, so that clocks and zones that differ block nothing. The wallet's payments count nothing.
 * The result is not checked against any limit (`chainAllows`).
 */
export function windowAfter({ spent, day }: BudgetWindow, terms: Terms, amount: bigint): BudgetWindow {
  if (terms.mode === SPEND_MODE.wallet) return { spent, day };
  return terms.day > day ? { spent: amount, day: terms.day } : { spent: spent + amount, day };
}
