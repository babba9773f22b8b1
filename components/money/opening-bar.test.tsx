import { renderToStaticMarkup } from "react-dom/server";
import { expect, test, vi } from "vitest";
import type { FundsOutput } from "@/components/vault/methods/funds";
import type { DecryptedQuery } from "@/components/vault/vault-provider";
import { VaultStatusBar } from "@/components/vault/vault-status";
import { OpeningBar } from "./opening-bar";

const vault = { status: "reading", reads: true, shown: null as object | null, locksAt: () => null };
vi.mock("@/components/vault/vault-provider", () => ({
  useVault: () => vault,
  useVaultOwner: () => ({ network: "test", address: `0x${"a1".repeat(20)}` }),
}));

/** The text of a component, without its tags. */
const textOf = (node: React.ReactNode) => renderToStaticMarkup(node).replace(/<[^>]*>/g, "");
const bar = (part: object = {}) => textOf(<OpeningBar funds={part as DecryptedQuery<FundsOutput>} />);

test("after a reload the bar says of when the balances are, and the state what one can do", () => {
  vault.shown = { at: Date.now() - 60_000, funds: { assets: [], agents: [] } };
  expect(bar()).toMatch(/^Balances as of \d{2}:\d{2}\. Your wallet signs before you pay or see newer ones\.Unlock$/);
  expect(textOf(<VaultStatusBar />)).toBe("Amounts shown · paying locked, unlock");
});

test("while the chain is silent the bar says so beside the balances of before, and the state that only these are shown", () => {
  Object.assign(vault, { status: "showing", reads: false });
  vault.shown = { at: Date.now() - 60_000, funds: { assets: [], agents: [] } };
  expect(bar()).toMatch(/^Balances as of \d{2}:\d{2}\. The chain can&#x27;t be reached\. Trying again\.Unlock$/);
  expect(textOf(<VaultStatusBar />)).toBe("Balances shown · paying locked, unlock");
  Object.assign(vault, { status: "reading", reads: true });
});

test("balances of an earlier day carry their day", () => {
  vault.shown = { at: Date.now() - 86_400_000, funds: { assets: [], agents: [] } };
  expect(bar()).toMatch(/^Balances as of \d{1,2} \w+/);
});

test("without balances from before, the bar says that they are encrypted", () => {
  vault.shown = null;
  expect(bar()).toMatch(/^Balances are encrypted\./);
});
