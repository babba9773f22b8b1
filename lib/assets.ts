import type { Address } from "viem";
import { zeroAddress } from "viem";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { type Decimals, InvalidAmount, parseAmount } from "@/lib/money";
import { type ChainId, networkOf } from "@/lib/network";

/** An asset of one network. Amounts inside the service are whole units; one unit is `unit` of the token's smallest. */
export interface Asset {
  symbol: "USDG" | "ETH";
  /** Lower case; the zero address is the chain's coin. */
  address: Address;
  decimals: Decimals;
  unit: bigint;
}

/** Symbols as the API takes them, with their decimal places. */
export const DECIMALS = { USDG: 6, ETH: 9 } as const satisfies Record<Asset["symbol"], Decimals>;

const known = new Map<ChainId, readonly Asset[]>();

/** The assets of a network, USDG first. */
export function assetsOf(chainId: ChainId): readonly Asset[] {
  let assets = known.get(chainId);
  if (!assets) {
    const usdg = env().chains[networkOf(chainId)].usdg.toLowerCase() as Address;
    assets = [
      { symbol: "USDG", address: usdg, decimals: DECIMALS.USDG, unit: 1n },
      { symbol: "ETH", address: zeroAddress, decimals: DECIMALS.ETH, unit: 1_000_000_000n },
    ];
    known.set(chainId, assets);
  }
  return assets;
}

/** The asset of a symbol as the API takes it; USDG when left out. Throws `invalid_request` naming `asset`. */
export function assetBySymbol(chainId: ChainId, symbol = "USDG"): Asset {
  const asset = assetsOf(chainId).find((candidate) => candidate.symbol === symbol);
  if (!asset) {
    throw new ApiError("invalid_request", 'This asset is not offered. Use "USDG" or "ETH".', { param: "asset" });
  }
  return asset;
}

/** The asset of a token address (lower case), or undefined for one the service does not offer. */
export function assetByAddress(chainId: ChainId, address: Address): Asset | undefined {
  return assetsOf(chainId).find((candidate) => candidate.address === address);
}

/** The units of an `amount` field; throws `invalid_request` naming it, without repeating it. */
export function unitsOf(asset: Asset, amount: string): bigint {
  try {
    return parseAmount(amount, asset.decimals);
  } catch (error) {
    if (!(error instanceof InvalidAmount)) throw error;
    throw new ApiError("invalid_request", error.message, { param: "amount" });
  }
}
