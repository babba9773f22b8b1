import { type Address, erc20Abi, zeroAddress } from "viem";
import { DECIMALS } from "@/lib/base/money";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { HalcyonError } from "../api/errors";
import type { Asset } from "../api/network-info";
import type { Chain } from "./chain";

/** What a chain says of an asset. Each is rejected if the contract does not say it, or the node does not respond. */
type Described = readonly [
  /** The token's smallest units in one ledger unit; zero if the ledger does not list the asset. */
  smallest: PromiseSettledResult<bigint>,
  symbol: PromiseSettledResult<string>,
  /** The token's own decimal places. */
  places: PromiseSettledResult<number>,
];

/** Reads an asset from the ledger and its token. ETH has no token: it is address zero, with 18 places. */
export function readAsset({ client, ledger }: Chain, address: Address): Promise<Described> {
  const listing = { address: ledger, abi: ledgerAbi, functionName: "assetOf", args: [address] } as const;
  const smallest = client.readContract(listing).then(([, unit]) => unit);
  if (address === zeroAddress) return Promise.allSettled([smallest, "ETH", 18]);
  const token = { address, abi: erc20Abi } as const;
  return Promise.allSettled([
    smallest,
    client.readContract({ ...token, functionName: "symbol" }),
    client.readContract({ ...token, functionName: "decimals" }),
  ]);
}

/** Returns the decimal places of a ledger unit of `smallest` token units; undefined if it is no decimal fraction. */
export function placesOfUnit(places: number, smallest: bigint): number | undefined {
  const zeros = smallest.toString().length - 1;
  return smallest === 10n ** BigInt(zeros) && places >= zeros ? places - zeros : undefined;
}

function fulfilled<T>(result: PromiseSettledResult<T>): T {
  if (result.status === "rejected") throw result.reason;
  return result.value;
}

async function requireAsset(chain: Chain, { symbol, address, decimals, unit }: Asset): Promise<void> {
  const described = await readAsset(chain, address);
  const refuse = (said: string, truth: string) =>
    new HalcyonError(
      "unavailable",
      `The service says that ${symbol} ${said}, and ${truth}. Do not pay until you know why.`,
    );
  const smallest = fulfilled(described[0]);
  if (smallest === 0n) throw refuse(`is ${address}`, "the ledger does not list it");
  if (fulfilled(described[1]) !== symbol) throw refuse(`is ${address}`, "the chain has another asset there");
  if (unit !== smallest) throw refuse(`has units of ${unit}`, `the ledger counts in units of ${smallest}`);
  const fixed = Object.hasOwn(DECIMALS, symbol) ? DECIMALS[symbol as keyof typeof DECIMALS] : decimals;
  if (decimals !== fixed) throw refuse(`has ${decimals} decimals`, `its amounts have ${fixed}`);
  const places = placesOfUnit(fulfilled(described[2]), smallest);
  if (decimals !== places) throw refuse(`has ${decimals} decimals`, `the chain says ${places ?? "that it has none"}`);
}

/**
 * Compares the service's assets with the ledger, their tokens, and the decimals that the API fixes. With others, what a
 * person is shown would not be the amount that is signed.
 *
 * @throws HalcyonError `unavailable` that says what differs; ChainUnreachable
 */
export async function requireOnChain(chain: Chain, assets: readonly Asset[]): Promise<void> {
  await Promise.all(assets.map((asset) => requireAsset(chain, asset)));
}
