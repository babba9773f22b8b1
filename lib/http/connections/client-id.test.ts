import { expect, test } from "vitest";
import { cleanName, UNNAMED } from "./client-id";

test.each(["Claude", "Cursor 2", "Ünïcode", "Trợ lý", "न्यूज़ ऐप", "ผู้ช่วย", "שָׁלוֹם", "❤️ Ledger"])("%s is a name", (name) => {
  expect(cleanName(name)).toBe(name.normalize("NFC"));
});

test("a client without a name says so to the person who decides", () => {
  for (const name of [undefined, null, "", "  "]) expect(cleanName(name)).toBe(UNNAMED);
});

test.each([
  ["a Hangul filler", "\u3164"],
  ["a Hangul choseong filler", "Hal\u115fcyon"],
  ["an empty Braille pattern", "\u2800"],
  ["a grapheme joiner", "a\u034fb"],
  ["a zero-width space", "a\u200bb"],
  ["text that runs the other way", "Hal\u202ecyon"],
  ["45 marks on a letter", `a${"\u0323".repeat(45)}`],
  ["four marks on a letter", `q${"\u0323".repeat(4)}`],
  ["a mark without a letter", "\u0301a"],
  ["a selector of a variant without a symbol", "\ufe0f"],
  ["two lines", "x\ny"],
])("%s is refused", (_what, name) => {
  expect(() => cleanName(name)).toThrow(expect.objectContaining({ code: "invalid_client_metadata" }));
});
