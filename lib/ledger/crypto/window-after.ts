import { SPEND_MODE, type Terms } from "./terms";
import type { AvailableWindow } from "./window";

/**
 * Returns the window after a payment of `amount` units under `terms`. A later day starts a new count. An earlier day
 * counts towards the current one, so that differing clocks and time zones block nothing. The wallet's payments are not
 * counted. The result is not checked against any limit (see `chainAllows`).
 */
export function windowAfter({ spent, day }: AvailableWindow, terms: Terms, amount: bigint): AvailableWindow {
  if (terms.mode === SPEND_MODE.wallet) return { spent, day };
  return terms.day > day ? { spent: amount, day: terms.day } : { spent: spent + amount, day };
}
