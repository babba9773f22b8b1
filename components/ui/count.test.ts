import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { grouped, written } from "./amount";
import { writtenCount } from "./count";
import { writtenUtc } from "./utc-time";

test("counts are written in the reader's language, and money in one form for all", () => {
  expect(writtenCount(1_234_567, "en-GB")).toBe("1,234,567");
  expect(writtenCount(1_234_567, "de-DE")).toBe("1.234.567");
  expect(grouped("1234567.5")).toBe("1,234,567.5");
});

test.each([
  ["0", "0.00"],
  ["3", "3.00"],
  ["1234567.5", "1,234,567.50"],
  ["0.000001", "0.000001"],
  ["12.340001", "12.340001"],
])("an amount of money has two decimals, and loses no digit that it has beyond them: %s", (amount, shown) => {
  expect(written(amount)).toBe(shown);
});

test("a moment that two people compare is the same for both, each in their language", () => {
  const moment = new Date("2026-11-22T22:45:07Z");
  expect(writtenUtc(moment, "en-GB")).toMatch(/^22 November 2026.* 22:45:07 UTC$/);
  expect(writtenUtc(moment, "de-DE")).toContain("22. November 2026");
  expect(writtenUtc(moment, "de-DE", true)).toBe("22. November 2026");
});

test("no screen writes a count or date in a language of its own choice, or of whatever machine renders it", () => {
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file));
  const files = [...filesIn("app"), ...filesIn("components")];
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file));
  expect(sources.length).toBeGreaterThan(300);
  const fixed = sources.filter((file) => {
    const text = readFileSync(file, "utf8");
    return /toLocale\w*String\(\s*(["'`)]|undefined)|Format\(\s*(["'`]|undefined)|NumberFormat\(\)/.test(text);
  });
  // Notices are whole sentences in English. `spend` writes money in short, in the form that every amount has.
  expect(fixed).toEqual(["app/(dashboard)/[network]/read-notices.ts", "components/shell/overview/spend.ts"]);
});
