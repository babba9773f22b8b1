import { expect, test } from "vitest";
import { isAnotherPage, isForBrowser } from "./link";

test("a link is followed as a page if it goes to another one of the same network, not to a filter or the other network", () => {
  expect(isAnotherPage("/test/transfers", "/test/balances")).toBe(true);
  expect(isAnotherPage("/test/transfers/tr_1", "/test/transfers")).toBe(true);
  expect(isAnotherPage("/test", "/test/transfers")).toBe(true);
  expect(isAnotherPage("/test/transfers", "/test/transfers")).toBe(false);
  expect(isAnotherPage("/live/transfers", "/test/transfers")).toBe(false);
  expect(isAnotherPage("/live", "/test/balances")).toBe(false);
});

test("a press with a key held or another button is the browser's: it opens a tab or a window, or downloads", () => {
  const plain = { metaKey: false, ctrlKey: false, shiftKey: false, altKey: false, button: 0 };
  expect(isForBrowser(plain)).toBe(false);
  for (const held of ["metaKey", "ctrlKey", "shiftKey", "altKey"]) {
    expect(isForBrowser({ ...plain, [held]: true }), held).toBe(true);
  }
  expect(isForBrowser({ ...plain, button: 1 })).toBe(true);
});
