import { expect, test } from "vitest";
import { actionWords, changesOf } from "./audit-wording";

test("a change says each field as it was and as it is, and leaves out what stayed", () => {
  const before = { daily_limit_usdg: 100, allowed_recipients: ["@a.test"], time_zone: "UTC", strict: false };
  const after = { daily_limit_usdg: 250, allowed_recipients: [], time_zone: "UTC", strict: true };
  expect(changesOf({ before, after })).toEqual([
    { field: "daily_limit_usdg", before: "100", after: "250" },
    { field: "allowed_recipients", before: "@a.test", after: "none" },
    { field: "strict", before: "off", after: "on" },
  ]);
});

test("what came into being or went has one side only, without what it did not have", () => {
  expect(changesOf({ before: null, after: { label: "Server", expires_at: null } })).toEqual([
    { field: "label", before: undefined, after: "Server" },
  ]);
  expect(changesOf({ before: { url: "https://a.example" }, after: null })).toEqual([
    { field: "url", before: "https://a.example", after: undefined },
  ]);
});

test("an action without words is called by its name", () => {
  expect(actionWords("key.created")).toBe("API key created");
  expect(actionWords("budget.rotated")).toBe("budget.rotated");
});
