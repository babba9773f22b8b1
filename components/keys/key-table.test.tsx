import { renderToStaticMarkup } from "react-dom/server";
import { beforeEach, expect, test, vi } from "vitest";
import type { ListedKey } from "@/sdk/api/api-types";
import { KeyTable } from "./key-table";
import { UsageChart } from "./usage-chart";

let reads: boolean;
let moved: { data?: { amount: string; more: boolean }; error?: Error };
const asked = vi.fn();
vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => ({ reads }),
  useDecrypted: (...of: unknown[]) => {
    asked(...of);
    return reads ? moved : {};
  },
}));

const KEY = {
  key_id: "key_1",
  label: "Server",
  prefix: "hc_test",
  last_four: "k3Y4",
  requests: 2,
  agent: null,
  expires_at: null,
  revoked_at: null,
  last_used_at: null,
  scopes: ["read", "pay"],
} as unknown as ListedKey;

const text = (markup: string) => markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
const shown = (change: Partial<ListedKey> = {}) =>
  text(renderToStaticMarkup(<KeyTable keys={[{ ...KEY, ...change }]} onChart={() => {}} />));

beforeEach(() => {
  asked.mockClear();
  reads = true;
  moved = { data: { amount: "6.5", more: false } };
});

test("what a key has moved is encrypted while locked, and shown once it is decrypted", () => {
  expect(shown()).toContain("6.50 USDG");
  expect(asked).toHaveBeenCalledWith("moved", { key: "key_1" }, { enabled: true });
  reads = false;
  expect(shown()).toContain("encrypted amount");
  expect(shown()).not.toContain("6.5");
});

test("a sum of the newest payments alone is called more than that, and what can't be decrypted is unknown", () => {
  moved = { data: { amount: "1000", more: true } };
  expect(shown()).toContain("over 1,000.00 USDG");
  moved = { error: new Error("away") };
  expect(shown()).toContain("unknown");
});

test("a key without requests has moved nothing, and nothing is read for it", () => {
  expect(shown({ requests: 0 })).toContain("None");
  expect(asked).toHaveBeenLastCalledWith("moved", { key: "key_1" }, { enabled: false });
});

test("the requests of a key are summed, by day also for who sees no bars", () => {
  const days = [
    { day: "2026-11-27", requests: 3 },
    { day: "2026-11-28", requests: 1_200 },
  ];
  const chart = text(renderToStaticMarkup(<UsageChart days={days} />));
  expect(chart).toMatch(/1,203 requests in 2 days/);
  expect(chart).toContain("2026-11-27 3 2026-11-28 1200");
});

test("a blind key is called that, a plain one is not", () => {
  expect(shown({ kind: "blind" })).toContain("Blind, pays with its home key");
  expect(shown({ kind: "plain" })).not.toContain("Blind");
});
