import { expect, test } from "vitest";
import { markedPieces, passageOf } from "./marked-pieces";

test("marked are whole words that were found, whatever their case, and no letter is lost", () => {
  const text = "Refund a payment: no refunds, no REFUND fee.";
  const pieces = markedPieces(text, ["refund"]);
  expect(pieces.filter(({ marked }) => marked).map(({ piece }) => piece)).toEqual(["Refund", "REFUND"]);
  expect(pieces.map(({ piece }) => piece).join("")).toBe(text);
  expect(markedPieces("", ["a"])).toEqual([]);
});

test("the passage of a long text contains the first word that was found, and is cut between words", () => {
  const text = `${"word ".repeat(60)}needle ${"more ".repeat(60)}`;
  const passage = passageOf(text, ["needle"]);
  expect(passage).toContain("needle");
  expect(passage.length).toBeLessThan(155);
  expect(passage).toMatch(/^…word/);
  expect(passageOf("short text", ["nothing"])).toBe("short text");
});
