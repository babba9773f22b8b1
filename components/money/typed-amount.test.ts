import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAmount } from "@/lib/base/money";
import { enteredBy, readersComma, settledAmount, shownAmount, typedAmount } from "./typed-amount";
import { amountProblem } from "./units";

/** Types a text key by key, the way the field receives it. */
function typing(text: string, comma?: "grouping" | "decimal"): string {
  let amount = "";
  for (const key of text) amount = typedAmount(shownAmount(amount) + key, amount, key, comma);
  return amount;
}

test("an amount is grouped as it is typed, and stays the same amount", () => {
  expect(typing("1234567.5")).toBe("1234567.5");
  expect(shownAmount("1234567.5")).toBe("1,234,567.5");
  expect(shownAmount("1234.")).toBe("1,234.");
  // A digit deleted between grouping marks.
  expect(typedAmount("1,23", "1234", "")).toBe("123");
  expect(typedAmount("1,234,56", "1234567", "")).toBe("123456");
  // A digit that replaces a selection.
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
  // Replacing an amount that contains our grouping marks, and the same if it is unknown what was entered.
  expect(typedAmount("1,5", "1000000", "1,5")).toBe("1,5");
  expect(typedAmount("1,5", "1000000", null)).toBe("1,5");
});

test("a fraction written with a comma never becomes a whole amount", () => {
  for (const comma of ["grouping", "decimal"] as const) {
    for (const text of ["0,125", "00,125", "0,125,000"]) {
      expect(typing(text, comma), text).toBe(text);
      expect(typedAmount(text, "", text, comma), text).toBe(text);
      expect(typedAmount(text, "", null, comma), text).toBe(text);
    }
  }
  expect(amountProblem("0,125", 6)).toBe("Use a dot for decimals: 0.125");
  // Nothing that the field shows reads like one either.
  expect(shownAmount("0125")).toBe("0125");
});

test("a comma with two meanings to the reader is kept, so that it is refused", () => {
  expect(readersComma("de-DE")).toBe("decimal");
  expect(readersComma("en-GB")).toBe("grouping");
  expect(typing("1,234", "decimal")).toBe("1,234");
  expect(typedAmount("1,234", "", "1,234", "decimal")).toBe("1,234");
  expect(typedAmount("1,234", "7", null, "decimal")).toBe("1,234");
  // Only one meaning, or grouping marks of the field's own.
  expect(typing("1,234.5", "decimal")).toBe("1234.5");
  expect(typing("1,234,567", "decimal")).toBe("1234567");
  expect(typing("1234", "decimal")).toBe("1234");
  expect(typedAmount("1,234", "12345", "", "decimal")).toBe("1234");
});

test("a dot with two meanings to the reader is kept and refused, until what is typed has one", () => {
  expect(typing("1.234", "decimal")).toBe("1.234?");
  expect(shownAmount("1.234?")).toBe("1.234");
  expect(typedAmount("1.234 USDG", "", "1.234 USDG", "decimal")).toBe("1.234?");
  expect(typedAmount("12.345", "12.3456", "", "decimal")).toBe("12.345?");
  for (const one of ["1.23", "1.2340", "1.2345", "0.125", "1234.567"]) expect(typing(one, "decimal")).toBe(one);
  expect(typing("1.234", "grouping")).toBe("1.234");
  // What a button fills in is an amount of the API.
  expect(amountProblem("1.234", 6)).toBeUndefined();
});

/** What a text means where this mark separates decimals, in millionths; undefined if it means nothing there. */
function meaning(text: string, decimal: "." | ","): bigint | undefined {
  const [group, point] = decimal === "." ? [",", "\\."] : ["\\.", ","];
  const match = new RegExp(`^([1-9]\\d{0,2}(?:${group}\\d{3})+|\\d+)(?:${point}(\\d{1,6}))?$`).exec(text);
  if (!match) return undefined;
  return BigInt((match[1] ?? "").replace(/[,.]/g, "") + (match[2] ?? "").padEnd(6, "0"));
}

test("a comma typed behind the field's own marks groups nothing where it separates decimals", () => {
  expect(typing("1000,000", "decimal")).toBe("1000,000");
  expect(typedAmount("1,000,000", "1000", ",000", "decimal")).toBe("1000,000");
  expect(typedAmount("1,000,000", "1000", null, "decimal")).toBe("1000,000");
  expect(amountProblem("1000,000", 6)).toBe("Use a dot for decimals: 1000.000");
  expect(typing("1,000,000", "decimal")).toBe("1000000");
});

test("whatever is typed or pasted is the only amount that it can mean to the reader, or is refused", () => {
  const keys = fc.array(fc.constantFrom(..."0123456789.,"), { minLength: 1, maxLength: 12 });
  const texts = fc.oneof(
    keys.map((list) => list.join("")),
    // Those with two meanings are rare among random keys.
    fc.stringMatching(/^[0-9]{1,4}[.,][0-9]{3}([.,][0-9]{1,3})?$/),
  );
  fc.assert(
    fc.property(texts, fc.constantFrom("grouping", "decimal"), fc.boolean(), (text, comma, isPasted) => {
      const amount = settledAmount(isPasted ? typedAmount(text, "", text, comma) : typing(text, comma));
      if (amountProblem(amount, 6) !== undefined) return;
      const whole = text.replace(/^\./, "0.").replace(/\.$/, "");
      const readings = comma === "grouping" ? [] : [meaning(whole, "."), meaning(text, ",")];
      const meanings = readings.filter((one) => one !== undefined);
      // As it is typed, the field moves a mark that groups to where it belongs: `3,0000` becomes `30,000`.
      const regrouped = meaning(whole.replaceAll(",", ""), ".");
      expect(new Set(meanings.length > 0 ? meanings : [regrouped])).toEqual(new Set([parseAmount(amount, 6)]));
    }),
    { numRuns: 5_000 },
  );
});

test("spaces and apostrophes group thousands too, because they never separate decimals", () => {
  for (const text of ["1'234.50", "1’234.50", "1 234.50", "1\u202f234.50"]) {
    expect(typedAmount(text, "", text), text).toBe("1234.50");
  }
  expect(typing("1'234.5")).toBe("1234.5");
  expect(typedAmount("1'234,5", "", "1'234,5")).toBe("1'234,5");
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
