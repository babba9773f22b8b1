import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { NetworkProvider } from "@/components/api/network-context";
import { AssetCard, type HoldingAgent } from "./asset-card";
import type { AssetFacts } from "./asset-facts";

const FACTS: AssetFacts = {
  symbol: "USDG",
  decimals: 6,
  deposited: "5",
  notes: 0,
  moreNotes: false,
  neverMadeAvailable: true,
  syncRequired: false,
  state: "",
};

/** Returns the text of a locked card. */
function textOf(change: Partial<AssetFacts>, agents: HoldingAgent[] = []): string {
  const markup = renderToStaticMarkup(
    <NetworkProvider network="test">
      <AssetCard facts={{ ...FACTS, ...change }} funds={undefined} encrypted agents={agents} />
    </NetworkProvider>,
  );
  return markup.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}

/** Returns what a locked card writes as the total. */
const totalOf = (change: Partial<AssetFacts> = {}, agents: HoldingAgent[] = []) =>
  /Total USDG (.*?) USDG/.exec(textOf(change, agents))?.[1];

test("a locked total is written only while all of it is public: deposited, and nothing received or with agents", () => {
  expect(totalOf()).toBe("5.00");
  expect(totalOf({ notes: 1 })).toContain("encrypted amount");
  expect(totalOf({ neverMadeAvailable: false })).toContain("encrypted amount");
  expect(totalOf({}, [{ handle: "@ada/bot", href: "/test/agents/1" }])).toContain("encrypted amount");
});

test("making available is offered for an asset that there is something of", () => {
  expect(textOf({})).toContain("Make available");
  expect(textOf({ deposited: "0", notes: 1 })).toContain("Make available");
  expect(textOf({ deposited: "0" })).not.toContain("Make available");
});
