import { type Address, zeroAddress } from "viem";
import { expect, test } from "vitest";
import type { Chain } from "../chain/chain";
import { describeAsset, distinctSymbols, dustBelow, shownUnits } from "../chain/recover-assets";

const token: Address = `0x${"cc".repeat(20)}`;

/** Returns a chain where these calls return these results and all others revert. */
const chainWith = (results: { assetOf?: [boolean, bigint]; symbol?: string; decimals?: number }) =>
  ({
    ledger: `0x${"aa".repeat(20)}`,
    client: {
      readContract: async ({ functionName }: { functionName: keyof typeof results }) => {
        if (results[functionName] === undefined) throw new Error("reverted");
        return results[functionName];
      },
    },
  }) as unknown as Chain;

test("an asset of any decimals is shown, and one that says nothing of itself by its address in whole units", async () => {
  const odd = await describeAsset(chainWith({ assetOf: [true, 100n], symbol: "WBTC", decimals: 10 }), token);
  expect(odd).toEqual({ symbol: "WBTC", address: token, decimals: 8 });
  expect(shownUnits(odd, 150_000_000n)).toBe("1.5");
  const silent = await describeAsset(chainWith({}), token);
  expect(silent).toEqual({ symbol: token, address: token, decimals: 0 });
  expect(shownUnits(silent, 7n)).toBe("7");
  const rude = await describeAsset(chainWith({ assetOf: [true, 1n], symbol: "\u001b[2J", decimals: 6 }), token);
  expect(rude.symbol).toBe(token);
});

test("dust is less than a hundredth of a token, and never nothing at all", () => {
  expect(dustBelow({ symbol: "USDG", address: token, decimals: 6 })).toBe(10_000n);
  expect(dustBelow({ symbol: "ETH", address: `0x${"00".repeat(20)}`, decimals: 9 })).toBe(10_000n);
  expect(dustBelow({ symbol: "X", address: token, decimals: 0 })).toBe(1n);
});

test("assets that share a symbol are named by their addresses; ETH is what has no address", () => {
  const other: Address = `0x${"dd".repeat(20)}`;
  const eth = { symbol: "ETH", address: zeroAddress, decimals: 9 };
  const named = (...symbols: string[]) =>
    distinctSymbols([
      { symbol: symbols[0] ?? "", address: token, decimals: 6 },
      { symbol: symbols[1] ?? "", address: other, decimals: 4 },
      eth,
    ]).map(({ symbol }) => symbol);
  expect(named("USDG", "EURG")).toEqual(["USDG", "EURG", "ETH"]);
  expect(named("USDG", "USDG")).toEqual([token, other, "ETH"]);
  expect(named("USDG", "ETH")).toEqual(["USDG", other, "ETH"]);
});
