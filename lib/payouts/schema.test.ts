import { expect, test } from "vitest";
import { CreatePayoutInput, PAYOUT_ROWS } from "./schema";

const rows = (count: number) => Array.from({ length: count }, () => ({ to: "@ada", amount: "1" }));

test("5,000 rows are taken; 5,001 and none are refused in words", () => {
  expect(CreatePayoutInput.safeParse({ rows: rows(PAYOUT_ROWS) }).success).toBe(true);
  const refused = (count: number) => CreatePayoutInput.safeParse({ rows: rows(count) }).error?.issues[0]?.message;
  expect(refused(PAYOUT_ROWS + 1)).toBe("A payout has up to 5,000 rows. Split it.");
  expect(refused(0)).toBe("A payout has at least one row.");
});
