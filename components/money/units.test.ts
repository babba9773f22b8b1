import { expect, test } from "vitest";
import { amountProblem, sumOf, unitsOf } from "./units";

test("a form takes exactly the amounts the API takes", () => {
  for (const good of ["1", "0.000001", "18446744073709.551615"]) expect(amountProblem(good, 6)).toBeUndefined();
  for (const bad of ["0", "", " 1", "1,5", "01", "1.", ".5", "1e3", "-1", "0.0000001", "18446744073709.551616"]) {
    expect(amountProblem(bad, 6), bad).toBeDefined();
  }
});

test("zero is an amount where a budget may be emptied, in one spelling", () => {
  expect(amountProblem("0", 6, { zero: true })).toBeUndefined();
  expect(amountProblem("0.0", 6, { zero: true })).toBeDefined();
});

test("opened amounts add up without a float", () => {
  expect(sumOf(["0.1", "0.2", "0"], 6)).toBe("0.3");
  expect(sumOf([], 9)).toBe("0");
  expect(unitsOf("9007199254.740993", 6)).toBe(9007199254740993n);
});
