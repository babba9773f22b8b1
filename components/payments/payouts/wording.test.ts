import { expect, test } from "vitest";
import { writtenCount } from "@/components/ui/count";
import type { PayoutResource } from "@/lib/payments/payouts/payout-resource";
import { newInWords, paymentsIn, payoutInWords, progressOf } from "./wording";

const payout = (rows: number, paid: number, failed = 0, cancelled = 0) =>
  ({ rows, rows_paid: paid, rows_failed: failed, rows_cancelled: cancelled }) as PayoutResource;

test("before a payout pays, it says its total, its people, its payments, and who is new", () => {
  const file = {
    totals: [
      { asset: "USDG", amount: "1112.5", rows: 7 },
      { asset: "ETH", amount: "2", rows: 1 },
    ],
    rows: 8,
  };
  expect(payoutInWords({ ...file, people: 2 }, counted)).toBe(
    "Pay 1,112.50 USDG and 2.00 ETH to 2 people in 8 payments",
  );
  expect(payoutInWords({ ...file, people: 1, rows: 1 }, counted)).toMatch(/ to 1 person in 1 payment$/);
  const said = ([people, unpaid]: readonly [number, number]) => newInWords({ people, unpaid }, counted).split(".")[0];
  expect(
    (
      [
        [2, 0],
        [2, 1],
        [2, 2],
        [1, 1],
        [4000, 1200],
      ] as const
    ).map(said),
  ).toEqual([
    "None is new in this browser",
    "1 is new in this browser",
    "All are new in this browser",
    "This recipient is new in this browser",
    "1,200 are new in this browser",
  ]);
});

const counted = (rows: number) => writtenCount(rows, "en-GB");

test("a payout is counted in words, with thousands apart and without what is none", () => {
  expect([payout(1, 0), payout(5000, 0)].map((each) => paymentsIn(each, counted))).toEqual([
    "1 payment",
    "5,000 payments",
  ]);
  expect(progressOf(payout(5000, 4998), counted)).toBe("4,998 of 5,000 paid");
  expect(progressOf(payout(5000, 3000, 1200, 800), counted)).toBe("3,000 of 5,000 paid · 1,200 failed · 800 cancelled");
});
