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

interface Answer {
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
  const answer = body as Answer;
  const sound =
    answer?.chain_id === CHAIN_ID[network] &&
    isAddress(answer.ledger, { strict: false }) &&
    isHex(answer.domain_salt) &&
    answer.domain_salt.length === 66 &&
    typeof answer.rpc_url === "string" &&
    ["latest", "safe", "finalized"].includes(answer.finality) &&
    Array.isArray(answer.assets) &&
    answer.assets.every(({ address, decimals }) => isAddress(address, { strict: false }) && [6, 9].includes(decimals));
  if (!sound) throw new ServiceUnreachable(`The server at ${http.baseUrl} does not describe the ${network} network.`);
  return {
    network,
    chainId: answer.chain_id,
    ledger: answer.ledger as Address,
    ledgerBlock: BigInt(answer.ledger_block),
    domainSalt: answer.domain_salt as Hex,
    assets: answer.assets.map((asset) => ({
      symbol: asset.symbol,
      address: asset.address.toLowerCase() as Address,
      decimals: asset.decimals as 6 | 9,
      unit: BigInt(asset.unit),
    })),
    local: answer.local === true,
    rpcUrl: answer.rpc_url,
    finality: answer.finality,
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
