import { expect, test } from "vitest";
import { spenderTime } from "./spender-time";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const inDays = (days: number) => String(NOW / 1000 + days * 86_400);

test("owners are warned from 30 days before their payment signing key expires, and not earlier", () => {
  expect(spenderTime(inDays(366), NOW)).toBeNull();
  expect(spenderTime(inDays(30.01), NOW)).toBeNull();
  expect(spenderTime(inDays(30), NOW)).toEqual({
    expired: false,
    title: "Your payment signing key expires in 30 days.",
  });
  expect(spenderTime(inDays(1.5), NOW)?.title).toBe("Your payment signing key expires in 2 days.");
  expect(spenderTime(inDays(0.2), NOW)?.title).toBe("Your payment signing key expires within a day.");
});

test("one that has expired is said to have, and one that never does is not spoken of", () => {
  expect(spenderTime(inDays(0), NOW)?.expired).toBe(true);
  expect(spenderTime(inDays(-3), NOW)?.expired).toBe(true);
  expect(spenderTime(String(2n ** 64n - 1n), NOW)).toBeNull();
});
