import { expect, test } from "vitest";
import type { DecryptedFunds, UndecryptedFunds } from "@/components/vault/methods/funds";
import { lowBalances } from "./low-balances";

const holding = (asset: string, available: string, rest = "0"): DecryptedFunds => ({
  ...{
    asset,
    decimals: asset === "ETH" ? 9 : 6,
    available,
    notes: [],
    notesTotal: rest,
    deposited: rest,
    total: available,
  },
  ...{ unreadable: 0, more: false, moving: false },
});
const lowWith = (rules: Record<string, string>, ...assets: (DecryptedFunds | UndecryptedFunds)[]) =>
  lowBalances(rules, { assets, agents: [] }).map(({ asset }) => asset);

test("an available balance is low below its amount, not at it, whatever waits beside it", () => {
  expect(lowWith({ USDG: "100" }, holding("USDG", "99.999999"))).toEqual(["USDG"]);
  expect(lowWith({ USDG: "100" }, holding("USDG", "100"))).toEqual([]);
  expect(lowWith({ USDG: "100" }, holding("USDG", "1000"))).toEqual([]);
  expect(lowWith({ USDG: "100" }, holding("USDG", "0", "500"))).toEqual(["USDG"]);
  expect(lowWith({ ETH: "0.000000002" }, holding("ETH", "0.000000001"))).toEqual(["ETH"]);
});

test("an asset without a rule, and one that can't be decrypted, are not low", () => {
  const undecrypted = { asset: "USDG", decimals: 6, error: { code: "sync_required", message: "Encrypted anew." } };
  expect(lowWith({}, holding("USDG", "0"))).toEqual([]);
  expect(lowWith({ USDG: "100" }, undecrypted)).toEqual([]);
});
