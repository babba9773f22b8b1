import { expect, test } from "vitest";
import { readPayoutFile } from "@/sdk/payments/payouts/payout-file";
import { readAs } from "./read-as";

test("the review says how an amount was read that is another one to some readers", () => {
  expect(readAs(readPayoutFile("to;amount;asset\n@ada;25.50;\n@bob;1.234;ETH\n@eve;2.345;"))).toBe(
    "A dot separates decimals: 1.234 in line 3 is 1.234 ETH, not 1234.",
  );
  expect(readAs(readPayoutFile("to,amount\n@ada,12.345"))).toContain("12.345 in line 2 is 12.345 USDG, not 12345.");
  expect(readAs(readPayoutFile("to,amount\n@ada,1.2340\n@bob,1234"))).toBeUndefined();
  // It was not read: the row itself asks.
  expect(readAs(readPayoutFile("to;amount\n@ada;1.234"))).toBeUndefined();
});
