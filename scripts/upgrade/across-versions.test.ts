import { expect, test } from "vitest";
import { contains } from "./across-versions";

test.each([
  ["the same", { a: [1, { b: null }] }, { a: [1, { b: null }] }, true],
  ["another field", { a: 1, b: 2 }, { a: 1 }, true],
  ["another field in a list", { a: [{ b: 1, c: 2 }] }, { a: [{ b: 1 }] }, true],
  ["a field less", { a: 1 }, { a: 1, b: 2 }, false],
  ["another value", { a: 1 }, { a: 2 }, false],
  ["a text for a number", { a: "1" }, { a: 1 }, false],
  ["an entry more", { a: [1, 2] }, { a: [1] }, false],
  ["another order", { a: [2, 1] }, { a: [1, 2] }, false],
  ["null for an object", { a: null }, { a: {} }, false],
  ["a list for an object", { a: [] }, { a: {} }, false],
])("what the new version says holds what the old one says: %s", (_, more, less, holds) => {
  expect(contains(more, less)).toBe(holds);
});
