import fc from "fast-check";
import { expect, test } from "vitest";
import { DecryptionFailed } from "../crypto/errors";
import { paddedLength, padText, unpadText } from "./padded-text";

test("a text comes back as written, from one length whatever it says", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 64 }), (text) => {
      const padded = padText(text, 256);
      expect(padded).toHaveLength(paddedLength(256));
      expect(unpadText(padded, "text")).toBe(text);
    }),
  );
  expect(unpadText(padText("\ufeffbom", 256), "text")).toBe("\ufeffbom");
});

test("what does not fit, or would not come back as written, is not padded", () => {
  for (const wrong of ["a".repeat(9), "é".repeat(5), "\ud800", "x\udc00y"])
    expect(() => padText(wrong, 8)).toThrow(RangeError);
});

test("a length beyond the text, and what is not UTF-8, are no text", () => {
  for (const wrong of [[0, 3, 97, 98], [255, 255, 97, 98], [0, 2, 0xc3, 0x28], [0, 1, 0xed], []])
    expect(() => unpadText(Uint8Array.from(wrong), "text")).toThrow(DecryptionFailed);
});
