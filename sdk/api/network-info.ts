import { type Address, type Hex, isAddress, isHex } from "viem";
import type { Decimals } from "@/lib/base/money";
import { CHAIN_ID, type Network } from "@/lib/base/network";
import { HalcyonError, ServiceUnreachable } from "./errors";
import type { Http } from "./http";

/** Block tags at which a transfer can count as final, from the weakest to the strictest. */
export const FINALITIES = ["latest", "safe", "finalized"] as const;

/** An asset of a ledger. `unit` is the number of the token's smallest units in one ledger unit. */
export interface Asset {
  symbol: string;
  /** In lower case. */
  address: Address;
  decimals: Decimals;
  unit: bigint;
}

/** The description of one network. A client's `info()` has compared ledger and assets with the chain. */
export interface NetworkInfo {
  network: Network;
  chainId: number;
  ledger: Address;
  domainSalt: Hex;
  assets: Asset[];
  /** True for a chain of the local stack, where the faucet works. */
  local: boolean;
  rpcUrl: string;
  /** The block tag at which the service considers a transfer final. A client's `info()` has the strictest one named. */
  finality: (typeof FINALITIES)[number];
}

/** The response of `GET /api/network`. */
export interface NetworkDocument {
  network: string;
  chain_id: number;
  ledger: string;
  domain_salt: string;
  assets: { symbol: string; address: string; decimals: number; unit: string | number }[];
  local: boolean;
  rpc_url: string;
  finality: NetworkInfo["finality"];
}

/**
 * Fetches chain, ledger and assets from the service.
 *
 * @throws ServiceUnreachable when the response is not a valid description
 */
export async function fetchNetworkInfo(http: Http, network: Network): Promise<NetworkInfo> {
  const { body } = await http.send("GET", "/api/network", { query: { network } });
  return readNetworkInfo(http, network, body as NetworkDocument);
}

/** Like {@link fetchNetworkInfo}, for a response that was already fetched. */
export function readNetworkInfo(http: Http, network: Network, document: NetworkDocument): NetworkInfo {
  const sound =
    document?.chain_id === CHAIN_ID[network] &&
    isAddress(document.ledger, { strict: false }) &&
    isHex(document.domain_salt) &&
    document.domain_salt.length === 66 &&
    typeof document.rpc_url === "string" &&
    FINALITIES.includes(document.finality) &&
    Array.isArray(document.assets) &&
    document.assets.every(
      ({ symbol, address, decimals, unit }) =>
        /^[A-Z0-9]{1,16}$/.test(symbol) &&
        isAddress(address, { strict: false }) &&
        [6, 9].includes(decimals) &&
        /^[1-9]\d{0,38}$/.test(String(unit)),
    ) &&
    new Set(document.assets.map(({ symbol }) => symbol)).size === document.assets.length;
  if (!sound) throw new ServiceUnreachable(`The server at ${http.baseUrl} does not describe the ${network} network.`);
  return {
    network,
    chainId: document.chain_id,
    ledger: document.ledger as Address,
    domainSalt: document.domain_salt as Hex,
    assets: document.assets.map((asset) => ({
      symbol: asset.symbol,
      address: asset.address.toLowerCase() as Address,
      decimals: asset.decimals as Decimals,
      unit: BigInt(asset.unit),
    })),
    local: document.local === true,
    rpcUrl: document.rpc_url,
    finality: document.finality,
  };
}

/**
 * Returns the asset with a symbol.
 *
 * @throws HalcyonError `invalid_request` listing the known assets
 */
export function assetOf(info: NetworkInfo, symbol: string): Asset {
  const asset = info.assets.find((candidate) => candidate.symbol === symbol.toUpperCase());
  if (asset) return asset;
  const known = info.assets.map((candidate) => candidate.symbol).join(", ");
  throw new HalcyonError(
    "invalid_request",
    `There is no such asset on the ${info.network} network. Use one of: ${known}.`,
  );
}
