import { expect, test } from "vitest";
import { CreatePayoutInput, PAYOUT_BODY, PAYOUT_ROWS } from "./schema";

const rows = (count: number) => Array.from({ length: count }, () => ({ to: "@ada", amount: "1" }));

test("5,000 rows are taken; 5,001 and none are refused in words", () => {
  expect(CreatePayoutInput.safeParse({ rows: rows(PAYOUT_ROWS) }).success).toBe(true);
  const refused = (count: number) => CreatePayoutInput.safeParse({ rows: rows(count) }).error?.issues[0]?.message;
  expect(refused(PAYOUT_ROWS + 1)).toBe("A payout has up to 5,000 rows. Split it.");
  expect(refused(0)).toBe("A payout has at least one row.");
});

test("the body has room for 5,000 full rows", () => {
  const full = { to: `0x${"a".repeat(40)}`, amount: "1234567890.123456", asset: "USDG" };
  const row = { ...full, memo: "€".repeat(170), reference: "€".repeat(64) };
  const body = Buffer.from(JSON.stringify({ rows: Array.from({ length: PAYOUT_ROWS }, () => row) }));
  expect(body.length).toBeLessThanOrEqual(PAYOUT_BODY.kib * 1024);
  // Each row is a value and has five.
  expect(PAYOUT_ROWS * 6 + 2).toBeLessThanOrEqual(PAYOUT_BODY.values);
  expect(CreatePayoutInput.safeParse(JSON.parse(body.toString())).success).toBe(true);
});
