import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { EVENT_TYPES } from "@/lib/events/catalogue";
import { AUDIT_ACTIONS, actionWords, changesOf, fieldWords } from "./audit-wording";

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

test("a webhook for all events does not list each of them", () => {
  const of = (events: readonly string[]) => changesOf({ before: null, after: { events } })[0]?.after;
  expect(of(EVENT_TYPES)).toBe("All events");
  expect(of(EVENT_TYPES.slice(0, 2))).toBe(EVENT_TYPES.slice(0, 2).join(", "));
});

test("a field of the log is said in words", () => {
  expect(fieldWords("daily_limit_usdg")).toBe("Daily limit (USDG)");
  expect(fieldWords("allowed_ips")).toBe("Allowed IPs");
  expect(fieldWords("strict")).toBe("Strict");
});

test("what a field holds is said in words too, and what is long is shortened", () => {
  const set_policy = { policy_version: "0", document_hash: `0x${"ab".repeat(32)}` };
  expect(changesOf({ before: null, after: { set_policy, limits: {} } })).toEqual([
    { field: "set_policy", before: undefined, after: "policy version 0, document hash 0xabab…abab" },
  ]);
});

test("every action of the log has words, and so can be filtered by", () => {
  const lib = path.resolve(import.meta.dirname, "../../lib");
  const files = readdirSync(lib, { recursive: true, encoding: "utf8" }).filter((file) => /(?<!\.test)\.ts$/.test(file));
  const named = files.flatMap((file) => [
    ...readFileSync(path.join(lib, file), "utf8").matchAll(/\baction: "([a-z_]+(?:\.[a-z_]+)+)"/g),
  ]);
  expect(named.length).toBeGreaterThan(40);
  expect(named.map(([, action = ""]) => action).filter((action) => !(action in AUDIT_ACTIONS))).toEqual([]);
});

test("a change that shortening would hide is shown in full", () => {
  const lookAlike = (middle: string) => `0x1234${middle.repeat(32)}abcd`;
  const before = { allowed_recipients: [lookAlike("0")], expires_at: "2026-12-26T03:14:00.000Z", same: lookAlike("0") };
  const after = { allowed_recipients: [lookAlike("f")], expires_at: "2026-12-26T03:14:30.000Z", same: lookAlike("0") };
  expect(changesOf({ before, after })).toEqual([
    { field: "allowed_recipients", before: lookAlike("0"), after: lookAlike("f") },
    { field: "expires_at", before: "2026-12-26T03:14:00.000Z", after: "2026-12-26T03:14:30.000Z" },
  ]);
});

test("an action without words is called by its name", () => {
  expect(actionWords("key.created")).toBe("API key created");
  expect(actionWords("available.rotated")).toBe("available.rotated");
});
