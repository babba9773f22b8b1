import type { Address } from "viem";
import { zeroAddress } from "viem";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { DECIMALS, type Decimals, InvalidAmount, parseAmount } from "@/lib/base/money";
import { type ChainId, networkOf } from "@/lib/base/network";

/**
 * An asset of one network. The service counts amounts in whole units; one unit is `unit` of the token's smallest unit.
 */
export interface Asset {
  symbol: keyof typeof DECIMALS;
  /** In lower case. The zero address stands for the chain's native coin. */
  address: Address;
  decimals: Decimals;
  unit: bigint;
}

const known = new Map<ChainId, readonly Asset[]>();

/** Returns the assets of a network, USDG first. */
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

/**
 * Returns the asset with this symbol, USDG by default.
 *
 * @throws ApiError `invalid_request` naming `asset` for an unknown symbol
 */
export function assetBySymbol(chainId: ChainId, symbol = "USDG"): Asset {
  const asset = assetsOf(chainId).find((candidate) => candidate.symbol === symbol);
  if (!asset) {
    throw new ApiError("invalid_request", 'This asset is not offered. Use "USDG" or "ETH".', { param: "asset" });
  }
  return asset;
}

/** Returns the asset with this token address (lower case), or undefined if the service does not offer it. */
export function assetByAddress(chainId: ChainId, address: Address): Asset | undefined {
  return assetsOf(chainId).find((candidate) => candidate.address === address);
}

/**
 * Parses an `amount` field into units.
 *
 * @throws ApiError `invalid_request` naming `amount`; its message does not repeat the value
 */
export function unitsOf(asset: Asset, amount: string): bigint {
  try {
    return parseAmount(amount, asset.decimals);
  } catch (error) {
    if (!(error instanceof InvalidAmount)) throw error;
    throw new ApiError("invalid_request", error.message, { param: "amount" });
  }
}
