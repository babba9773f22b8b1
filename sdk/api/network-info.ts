import { type Address, type Hex, isAddress, isHex } from "viem";
import { CHAIN_ID, type Network } from "@/lib/network";
import { HalcyonError, ServiceUnreachable } from "./errors";
import type { Http } from "./http";

/** An asset as the service lists it. `unit` is how many of the token's smallest units one unit of the ledger is. */
export interface Asset {
  symbol: string;
  address: Address;
  decimals: 6 | 9;
  unit: bigint;
}

/** One network as the service describes it. */
export interface NetworkInfo {
  network: Network;
  chainId: number;
  ledger: Address;
  /** Block the ledger was deployed in: no event of it is older. */
  ledgerBlock: bigint;
  domainSalt: Hex;
  assets: Asset[];
  /** A chain of the local stack: the faucet works. */
  local: boolean;
  rpcUrl: string;
  /** The block tag at which the service takes a transfer as final. */
  finality: "latest" | "safe" | "finalized";
}

/** As `GET /api/network` shows it. */
export interface NetworkDocument {
  network: string;
  chain_id: number;
  ledger: string;
  ledger_block: number | string;
  domain_salt: string;
  assets: { symbol: string; address: string; decimals: number; unit: string | number }[];
  local: boolean;
  rpc_url: string;
  finality: NetworkInfo["finality"];
}

/** Asks the service for its chain, ledger and assets. Throws `ServiceUnreachable` when it returns something else. */
export async function fetchNetworkInfo(http: Http, network: Network): Promise<NetworkInfo> {
  const { body } = await http.send("GET", "/api/network", { query: { network } });
  return readNetworkInfo(http, network, body as NetworkDocument);
}

/** As {@link fetchNetworkInfo}, of a response that is there already. */
export function readNetworkInfo(http: Http, network: Network, document: NetworkDocument): NetworkInfo {
  const sound =
    document?.chain_id === CHAIN_ID[network] &&
    isAddress(document.ledger, { strict: false }) &&
    isHex(document.domain_salt) &&
    document.domain_salt.length === 66 &&
    typeof document.rpc_url === "string" &&
    ["latest", "safe", "finalized"].includes(document.finality) &&
    Array.isArray(document.assets) &&
    document.assets.every(
      ({ address, decimals }) => isAddress(address, { strict: false }) && [6, 9].includes(decimals),
    );
  if (!sound) throw new ServiceUnreachable(`The server at ${http.baseUrl} does not describe the ${network} network.`);
  return {
    network,
    chainId: document.chain_id,
    ledger: document.ledger as Address,
    ledgerBlock: BigInt(document.ledger_block),
    domainSalt: document.domain_salt as Hex,
    assets: document.assets.map((asset) => ({
      symbol: asset.symbol,
      address: asset.address.toLowerCase() as Address,
      decimals: asset.decimals as 6 | 9,
      unit: BigInt(asset.unit),
    })),
    local: document.local === true,
    rpcUrl: document.rpc_url,
    finality: document.finality,
  };
}

/** The asset of a symbol; throws `invalid_request` naming the ones there are. */
export function assetOf(info: NetworkInfo, symbol: string): Asset {
  const asset = info.assets.find((candidate) => candidate.symbol === symbol.toUpperCase());
  if (asset) return asset;
  const known = info.assets.map((candidate) => candidate.symbol).join(", ");
  throw new HalcyonError(
    "invalid_request",
    `There is no such asset on the ${info.network} network. Use one of: ${known}.`,
  );
}
