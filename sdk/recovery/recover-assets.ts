import { type Address, erc20Abi, formatUnits, zeroAddress } from "viem";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import type { Chain } from "../chain/chain";

/** An asset as ledger and token describe it; of a token that does not say what it is, the address and whole units. */
export interface RecoveredAsset {
  symbol: string;
  address: Address;
  /** Decimal places of one unit of the ledger. */
  decimals: number;
}

/** Units of an asset as a decimal string. */
export function shownUnits({ decimals }: RecoveredAsset, units: bigint): string {
  return formatUnits(units, decimals);
}

/** A note of fewer units is not worth the gas of moving it: a hundredth of a token, 0.00001 ETH. */
export function dustBelow({ address, decimals }: RecoveredAsset): bigint {
  const places = decimals - (address === zeroAddress ? 5 : 2);
  return places > 0 ? 10n ** BigInt(places) : 1n;
}

/**
 * An asset as ledger and token describe it. Never fails for what a token returns: an unknown one must not stand in
 * the way of all others.
 */
export async function describeAsset(chain: Chain, address: Address): Promise<RecoveredAsset> {
  if (address === zeroAddress) return { symbol: "ETH", address, decimals: 9 };
  const token = { address, abi: erc20Abi } as const;
  const [listing, symbol, places] = await Promise.allSettled([
    chain.client.readContract({ address: chain.ledger, abi: ledgerAbi, functionName: "assetOf", args: [address] }),
    chain.client.readContract({ ...token, functionName: "symbol" }),
    chain.client.readContract({ ...token, functionName: "decimals" }),
  ]);
  const name = symbol.status === "fulfilled" && /^[\x21-\x7e]{1,32}$/.test(symbol.value) ? symbol.value : address;
  if (listing.status === "rejected" || places.status === "rejected") return { symbol: name, address, decimals: 0 };
  const decimals = places.value - (listing.value[1].toString().length - 1);
  return { symbol: name, address, decimals: Math.max(decimals, 0) };
}
