import { expect, test } from "vitest";
import { matches } from "./match-payment";

const invoice = {
  amount: "1250.5",
  asset: "USDG",
  words: ["Invoice 1042, Müller", null, "@acme"],
};

test("a payment is found by its exact amount however it is written, and not by a part of it", () => {
  for (const text of [
    "1250.5",
    "1250.50",
    "1,250.50",
    "$1,250.5",
    "1250.5 USDG",
    "1250.5 usdg",
    "−1,250.50",
    "01250.5",
  ]) {
    expect(matches(invoice, text), text).toBe(true);
  }
  for (const text of ["1250", "250.5", "1250.51", "12505", "7"]) expect(matches(invoice, text), text).toBe(false);
  expect(matches({ ...invoice, amount: "0.5" }, ".5")).toBe(true);
});

test("words are found in any order and case, all of them, in memo, reference and person", () => {
  for (const text of ["invoice", "MÜLLER inv", "@acme 1042"]) expect(matches(invoice, text)).toBe(true);
  for (const text of ["invoice 1043", "acme coffee", "", "  "]) expect(matches(invoice, text), text).toBe(false);
});

test("what can't be decrypted is not found by a number", () => {
  expect(matches({ amount: null, asset: "USDG", words: [null, null, "@acme"] }, "0")).toBe(false);
});
