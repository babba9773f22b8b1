import { type Address, formatUnits, zeroAddress } from "viem";
import type { Chain } from "./chain";
import { placesOfUnit, readAsset } from "./chain-assets";

/**
 * An asset as described by the ledger and its token. If the token doesn't describe itself: its address, and whole
 * units.
 */
export interface RecoveredAsset {
  symbol: string;
  address: Address;
  /** Decimal places of one unit of the ledger. */
  decimals: number;
}

/** Formats units of an asset as a decimal string. */
export function shownUnits({ decimals }: RecoveredAsset, units: bigint): string {
  return formatUnits(units, decimals);
}

/** Returns the units below which a note is not worth the gas of moving it: a hundredth of a token, 0.00001 ETH. */
export function dustBelow({ address, decimals }: RecoveredAsset): bigint {
  const places = decimals - (address === zeroAddress ? 5 : 2);
  return places > 0 ? 10n ** BigInt(places) : 1n;
}

/**
 * Describes an asset from the ledger and its token. Never fails because of what a token returns: an unknown token must
 * not block the others.
 */
export async function describeAsset(chain: Chain, address: Address): Promise<RecoveredAsset> {
  const [smallest, symbol, places] = await readAsset(chain, address);
  const name = symbol.status === "fulfilled" && /^[\x21-\x7e]{1,32}$/.test(symbol.value) ? symbol.value : address;
  if (smallest.status === "rejected" || places.status === "rejected") return { symbol: name, address, decimals: 0 };
  return { symbol: name, address, decimals: placesOfUnit(places.value, smallest.value) ?? 0 };
}

/** Names assets that share a symbol by their addresses. Anyone can deploy a token that calls itself USDG or ETH. */
export function distinctSymbols(assets: readonly RecoveredAsset[]): RecoveredAsset[] {
  const clashes = (asset: RecoveredAsset) =>
    asset.address !== zeroAddress &&
    (asset.symbol === "ETH" || assets.some((other) => other !== asset && other.symbol === asset.symbol));
  return assets.map((asset) => (clashes(asset) ? { ...asset, symbol: asset.address } : asset));
}
