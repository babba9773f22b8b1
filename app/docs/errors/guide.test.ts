import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ERROR_STATUS } from "@/lib/base/errors";
import { parseErrorGuide } from "./guide";

const guide = parseErrorGuide(readFileSync("docs/errors.md", "utf8"));

test("every error code has its section in docs/errors.md, and every section is a code", () => {
  expect(guide.sections.map(({ code }) => code).sort()).toEqual(Object.keys(ERROR_STATUS).sort());
});

test("each section says something, and every backtick has its pair", () => {
  for (const { code, text } of guide.sections) {
    expect(text.length, code).toBeGreaterThan(20);
    expect(text.split("`").length % 2, code).toBe(1);
  }
});
