import { expect, test } from "vitest";
import { enteredBy, settledAmount, shownAmount, typedAmount } from "./typed-amount";

/** Types a text key by key, as the field does it. */
function typing(text: string): string {
  let amount = "";
  for (const key of text) amount = typedAmount(shownAmount(amount) + key, amount, key);
  return amount;
}

test("an amount is grouped as it is typed, and stays the same amount", () => {
  expect(typing("1234567.5")).toBe("1234567.5");
  expect(shownAmount("1234567.5")).toBe("1,234,567.5");
  expect(shownAmount("1234.")).toBe("1,234.");
  // A digit taken away between the marks.
  expect(typedAmount("1,23", "1234", "")).toBe("123");
  expect(typedAmount("1,234,56", "1234567", "")).toBe("123456");
  // A digit in place of some.
  expect(typedAmount("1,5", "1000000", "5")).toBe("15");
});

test("an amount that the product prints can be pasted", () => {
  for (const [pasted, amount] of [
    ["1,000.50", "1000.50"],
    ["210,016.789994 USDG", "210016.789994"],
    ["$5", "5"],
    [" 12.5 ", "12.5"],
  ] as const) {
    expect(typedAmount(pasted, "", pasted), pasted).toBe(amount);
  }
});

test("a comma is never taken for a decimal point, nor dropped where it groups nothing", () => {
  expect(typing("12,5")).toBe("12,5");
  expect(typing("1,000")).toBe("1000");
  expect(typedAmount("12,50", "", "12,50")).toBe("12,50");
  // Over an amount that has marks of ours; also where it is not known what was entered.
  expect(typedAmount("1,5", "1000000", "1,5")).toBe("1,5");
  expect(typedAmount("1,5", "1000000", null)).toBe("1,5");
});

test("left, the field holds the amount as the API takes it", () => {
  expect([".5", "5.", "007", "0.50", ".", "12,5"].map(settledAmount)).toEqual(["0.5", "5", "7", "0.50", ".", "12,5"]);
});

test("what was entered is read from the browser's event, and unknown where that does not say", () => {
  const event = (type: Partial<InputEvent>) => enteredBy(type as Event);
  expect(event({ inputType: "insertText", data: "1,5" })).toBe("1,5");
  expect(event({ inputType: "deleteContentBackward", data: null })).toBe("");
  expect(event({ inputType: "insertFromPaste", data: null })).toBeNull();
  expect(event({ inputType: "historyUndo", data: null })).toBeNull();
  expect(event({})).toBeNull();
});
