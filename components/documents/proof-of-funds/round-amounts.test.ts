import { expect, it } from "vitest";
import { parseAmount } from "@/lib/base/money";
import { isRoundMinimum } from "@/lib/ledger/funds/funds-statement";
import { roundAmounts } from "./round-amounts";

it("offers only minimums that a proof may have, each once and ascending", () => {
  for (const decimals of [6, 9] as const) {
    const units = roundAmounts(decimals).map((amount) => parseAmount(amount, decimals));
    expect(units.filter((minimum) => !isRoundMinimum(minimum))).toEqual([]);
    expect(units).toEqual([...new Set(units)].sort((a, b) => (a < b ? -1 : 1)));
  }
});
