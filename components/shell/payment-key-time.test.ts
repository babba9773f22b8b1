import { expect, test } from "vitest";
import { paymentKeyTime } from "./payment-key-time";

const NOW = Date.parse("2026-11-22T10:00:00Z");
const inDays = (days: number) => String(NOW / 1000 + days * 86_400);

test("owners are warned from 30 days before their payment key expires, and not earlier", () => {
  expect(paymentKeyTime(inDays(366), NOW)).toBeNull();
  expect(paymentKeyTime(inDays(30.01), NOW)).toBeNull();
  expect(paymentKeyTime(inDays(30), NOW)).toEqual({
    state: "ends",
    title: "Your payment key expires in 30 days.",
  });
  expect(paymentKeyTime(inDays(1.5), NOW)?.title).toBe("Your payment key expires in 2 days.");
  expect(paymentKeyTime(inDays(0.2), NOW)?.title).toBe("Your payment key expires within a day.");
});

test("one that has expired is said to have, and one that never does is not spoken of", () => {
  expect(paymentKeyTime(inDays(0), NOW)?.state).toBe("expired");
  expect(paymentKeyTime(inDays(-3), NOW)?.state).toBe("expired");
  expect(paymentKeyTime(String(2n ** 64n - 1n), NOW)).toBeNull();
});

test("one that the owner has switched off has not expired", () => {
  expect(paymentKeyTime("0", NOW)).toMatchObject({
    state: "off",
    title: expect.stringContaining("Signing is stopped"),
  });
});
