import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { VaultOwner } from "@/components/vault/protocol";
import { noteTotalsShown, totalsShownAt } from "./totals-shown";

const owner: VaultOwner = { network: "test", address: `0x${"a1".repeat(20)}` };

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => kept.set(name, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

test("once an account's totals went to the service, this browser knows, for that account on that network", () => {
  expect(totalsShownAt(owner)).toBeNull();
  noteTotalsShown(owner, new Date("2026-11-25T12:00:00Z"));
  expect(totalsShownAt(owner)).toBe("2026-11-25T12:00:00.000Z");
  expect(totalsShownAt({ ...owner, network: "live" })).toBeNull();
  expect(totalsShownAt({ ...owner, address: `0x${"b2".repeat(20)}` })).toBeNull();
});

test("a note that is no time is no note", () => {
  localStorage.setItem(`halcyon.totals-shown.test.${owner.address}`, "yesterday");
  expect(totalsShownAt(owner)).toBeNull();
});
