import { expect, test } from "vitest";
import { allOf, amountProblem, leftAfter, shortage, sumOf, toUnits } from "./units";

test("a form takes exactly the amounts the API takes", () => {
  for (const good of ["1", "0.000001", "18446744073709.551615"]) expect(amountProblem(good, 6)).toBeUndefined();
  for (const bad of ["0", "", " 1", "1,5", "01", "1.", ".5", "1e3", "-1", "0.0000001", "18446744073709.551616"]) {
    expect(amountProblem(bad, 6), bad).toBeDefined();
  }
});

test("what is wrong with an amount is said for the person who typed it", () => {
  expect(amountProblem("", 6)).toBe("Enter an amount.");
  expect(amountProblem("12,5", 6)).toBe("Use a dot for decimals: 12.5");
  expect(amountProblem("12,3456", 6)).toBe("Use a dot for decimals: 12.3456");
  expect(amountProblem("1.234,5", 6)).toBe("Use a dot for decimals: 1234.5");
  for (const twice of ["1,234", "1.234?", "01.234?"]) {
    expect(amountProblem(twice, 6)).toBe("This could be 1234 or 1.234. Write 1234 or 1.2340.");
  }
  expect(amountProblem("1.234", 6)).toBeUndefined();
  expect(amountProblem("0.00", 6)).toBe("Enter an amount above zero.");
  expect(amountProblem("1.2345678", 6)).toBe("USDG amounts have at most 6 decimals here.");
  expect(amountProblem("18446744073709.551616", 6)).toBe("This amount is too large.");
  expect(amountProblem("five", 6)).toBe("Enter an amount in digits, such as 12.50.");
});

test("zero is an amount where an available balance may be emptied, in one spelling", () => {
  expect(amountProblem("0", 6, { zero: true })).toBeUndefined();
  expect(amountProblem("0.0", 6, { zero: true })).toBeDefined();
});

test("what a payment leaves is said only where it is known and enough", () => {
  expect(leftAfter("12.5", "20", 6)).toBe("7.5");
  expect(leftAfter("20", "20", 6)).toBe("0");
  for (const available of ["19.999999", "0", null, undefined]) expect(leftAfter("20", available, 6)).toBeUndefined();
});

test("decrypted amounts add up without a float", () => {
  expect(sumOf(["0.1", "0.2", "0"], 6)).toBe("0.3");
  expect(sumOf([], 9)).toBe("0");
  expect(toUnits("9007199254.740993", 6)).toBe(9007199254740993n);
});

test("what is paid must be covered by a decrypted available balance to the last unit; an encrypted one refuses nothing", () => {
  expect(shortage("1.000001", "1.000001", 6)).toBeUndefined();
  expect(shortage("1.000002", "1.000001", 6)).toContain("does not cover");
  expect(shortage("5", undefined, 6)).toBeUndefined();
  expect(shortage("5", null, 6)).toBeUndefined();
  expect(allOf("12.5", "Use all")).toEqual([{ label: "Use all", amount: "12.5" }]);
  for (const none of ["0", null, undefined]) expect(allOf(none, "Use all")).toEqual([]);
});
