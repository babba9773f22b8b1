import { expect, test } from "vitest";
import { isAnotherPage } from "./link";

test("a link is followed as a page if it goes to another one of the same network, not to a filter or the other network", () => {
  expect(isAnotherPage("/test/transfers", "/test/balances")).toBe(true);
  expect(isAnotherPage("/test/transfers/tr_1", "/test/transfers")).toBe(true);
  expect(isAnotherPage("/test", "/test/transfers")).toBe(true);
  expect(isAnotherPage("/test/transfers", "/test/transfers")).toBe(false);
  expect(isAnotherPage("/live/transfers", "/test/transfers")).toBe(false);
  expect(isAnotherPage("/live", "/test/balances")).toBe(false);
});
