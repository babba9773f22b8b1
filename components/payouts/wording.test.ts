import { expect, test } from "vitest";
import { writtenCount } from "@/components/ui/count";
import type { PayoutResource } from "@/lib/payouts/payout-resource";
import { paymentsIn, progressOf } from "./wording";

const payout = (rows: number, paid: number, failed = 0, cancelled = 0) =>
  ({ rows, rows_paid: paid, rows_failed: failed, rows_cancelled: cancelled }) as PayoutResource;

const counted = (rows: number) => writtenCount(rows, "en-GB");

test("a payout is counted in words, with thousands apart and without what is none", () => {
  expect([payout(1, 0), payout(5000, 0)].map((each) => paymentsIn(each, counted))).toEqual([
    "1 payment",
    "5,000 payments",
  ]);
  expect(progressOf(payout(5000, 4998), counted)).toBe("4,998 of 5,000 paid");
  expect(progressOf(payout(5000, 3000, 1200, 800), counted)).toBe("3,000 of 5,000 paid · 1,200 failed · 800 cancelled");
});
