import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { noticesOf } from "@/app/(dashboard)/[network]/read-notices";
import type { AssetFacts } from "@/components/money/asset-facts";
import type { FundsOutput } from "@/components/vault/methods/funds";
import type { HealthResource } from "@/lib/events/webhooks/list-health";
import type { WebhookResource } from "@/lib/events/webhooks/webhook-resource";
import { EndpointHealth } from "./endpoint-health";
import { ExpiringKeys } from "./expiring-keys";
import { tilesOf } from "./holdings-tiles";
import { Notices } from "./notices";

const AT = "2026-11-26T06:00:00Z";
const webhook = (name: string, part: Partial<WebhookResource> = {}) =>
  ({
    webhook_id: `wh_${name}`,
    url: `https://${name}.example`,
    enabled: true,
    disabled_reason: null,
    ...part,
  }) as WebhookResource;
const health = (part: Partial<HealthResource> = {}): HealthResource => ({
  webhook_id: "wh_broken",
  attempted: 2,
  failed: 1,
  last: { at: AT, status: "failed", response_code: null, error: "connect: ECONNREFUSED" },
  arrived: [true, false],
  failing_since: AT,
  waiting: 1,
  next_attempt_at: AT,
  ...part,
});
const NOTHING = {
  held: 0,
  runs: { due: 0, missed: 0 },
  payouts: [],
  transfers: { transfers: [], hasMore: false },
  webhooks: [],
  since: new Date(0),
};

test("the overview lists what failed with a link to each, and says nothing where nothing did", () => {
  expect(noticesOf("/test", NOTHING)).toEqual({ waiting: [], failed: [] });
  const { waiting, failed } = noticesOf("/test", {
    ...NOTHING,
    held: 1,
    runs: { due: 2, missed: 1 },
    transfers: { transfers: Array(20).fill({}), hasMore: true },
    webhooks: [
      { webhook: webhook("broken"), health: health() },
      { webhook: webhook("gone", { enabled: false, disabled_reason: "gone" }) },
      { webhook: webhook("mine", { enabled: false, disabled_reason: "owner" }) },
      { webhook: webhook("fine"), health: health({ failing_since: null }) },
    ],
  });
  expect(waiting.map(({ title }) => title)).toEqual([
    "1 payment waits for your approval",
    "2 scheduled payments are due",
  ]);
  expect(failed.map(({ title, href }) => `${title}: ${href}`)).toEqual([
    "20 or more payments failed: /test/transfers?status=failed",
    "1 scheduled payment was missed: /test/schedules",
    "A webhook is failing: /test/developers/webhooks/wh_broken",
    "A webhook was disabled: /test/developers/webhooks/wh_gone",
  ]);
  const shown = renderToStaticMarkup(createElement(Notices, { title: "Failed", notices: failed }));
  expect(shown).toContain("broken.example: No connection to the host");
  expect(renderToStaticMarkup(createElement(Notices, { title: "Failed", notices: [] }))).toBe("");
});

test("endpoints are shown with their health, failing ones first, and keys that expire with their time", () => {
  const webhooks = [
    { webhook: webhook("fine"), health: health({ failing_since: null }) },
    { webhook: webhook("broken"), health: health() },
  ];
  const shown = renderToStaticMarkup(createElement(EndpointHealth, { path: "/w", webhooks }));
  expect(shown.indexOf("broken.example")).toBeLessThan(shown.indexOf("fine.example"));
  expect(shown).toContain("Failing");
  expect(shown).toContain("Of the newest 2 deliveries, 1 arrived and 1 failed.");
  expect(renderToStaticMarkup(createElement(EndpointHealth, { path: "/w", webhooks: [] }))).toBe("");
  const key = { id: "key_1", label: "Shop", lastFour: "ab12", agentHandle: null, expiresAt: new Date(AT) };
  const keys = renderToStaticMarkup(createElement(ExpiringKeys, { path: "/k", keys: [key] }));
  expect(keys).toContain("Shop");
  expect(keys).toContain('dateTime="2026-11-26T06:00:00.000Z"');
  expect(renderToStaticMarkup(createElement(ExpiringKeys, { path: "/k", keys: [] }))).toBe("");
});

test("assets of which the account has nothing are hidden, also if only decrypting shows it", () => {
  const facts = (symbol: string, part: Partial<AssetFacts> = {}): AssetFacts => ({
    symbol,
    decimals: 6,
    deposited: "0",
    notes: 0,
    moreNotes: false,
    neverMadeAvailable: true,
    syncRequired: false,
    state: "",
    ...part,
  });
  const madeAvailable = { neverMadeAvailable: false };
  const symbols = (assets: AssetFacts[], funds?: FundsOutput) => tilesOf(assets, funds, []).map(({ symbol }) => symbol);
  expect(symbols([facts("ETH"), facts("USDG", madeAvailable)])).toEqual(["USDG"]);
  // Encrypted: it may be zero, and may not.
  expect(symbols([facts("ETH", madeAvailable), facts("USDG", madeAvailable)])).toEqual(["ETH", "USDG"]);
  const opened = (asset: string, total: string) => ({
    asset,
    available: total,
    notesTotal: "0",
    deposited: "0",
    total,
  });
  const funds = { assets: [opened("ETH", "0"), opened("USDG", "5")], agents: [] } as unknown as FundsOutput;
  expect(symbols([facts("ETH", madeAvailable), facts("USDG", madeAvailable)], funds)).toEqual(["USDG"]);
  // One is always shown.
  expect(symbols([facts("USDG"), facts("ETH")])).toEqual(["USDG"]);
});
