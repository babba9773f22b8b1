import { expect, test } from "vitest";
import { standingOf } from "./export-button";

test("an export reads the list until it has decrypted the first transfer, and then says of how many", () => {
  expect(standingOf(undefined)).toEqual({ label: "Reading the list" });
  expect(standingOf({ done: 0, total: 0 })).toEqual({ label: "Reading the list", done: 0 });
  expect(standingOf({ done: 0, total: 40 })).toEqual({ label: "Reading the list", done: 0 });
  expect(standingOf({ done: 1, total: 40 })).toEqual({ label: "Decrypting", done: 1, total: 40 });
});
