import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getAddress, type Hex } from "viem";
import { type Asset, assetsOf } from "@/lib/assets";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { scopeOf } from "@/lib/chain/scope-of";
import { env, type FinalityTag } from "@/lib/env";
import { type ChainId, networkOf } from "@/lib/network";
import { publishedRpc } from "./published-rpc";

/** What a client has to know of a network to prepare, sign and check on its own. */
interface NetworkDescription {
  chainId: ChainId;
  ledger: string;
  ledgerBlock: bigint;
  domainSalt: Hex;
  assets: readonly Asset[];
  local: boolean;
  rpcUrl: string;
  /** The block tag at which a transfer counts as final. */
  finality: FinalityTag;
  /** Public; null when WalletConnect is not configured. */
  walletConnectProjectId: string | null;
  /** SHA-256 of circuits/manifest.json, which holds the hash of every proving artefact. */
  manifestHash: string;
}

let manifestHash: Promise<string> | undefined;

/** Describes one network of this service. */
export async function describeNetwork(chainId: ChainId): Promise<NetworkDescription> {
  const network = networkOf(chainId);
  const { local, ledgerBlock, finality } = env().chains[network];
  manifestHash ??= readFile("circuits/manifest.json").then((bytes) => createHash("sha256").update(bytes).digest("hex"));
  const { ledger, domainSalt } = await scopeOf(chainId);
  return {
    chainId,
    ledger: getAddress(ledger),
    ledgerBlock,
    domainSalt,
    assets: assetsOf(chainId),
    local,
    rpcUrl: publishedRpc(network),
    walletConnectProjectId: env().walletConnectProjectId ?? null,
    finality,
    manifestHash: await manifestHash,
  };
}

/** A network as `GET /api/network` shows it. */
export function toNetworkResource(network: NetworkDescription) {
  return {
    network: networkOf(network.chainId),
    chain_id: network.chainId,
    ledger: network.ledger,
    ledger_block: network.ledgerBlock.toString(),
    domain_salt: network.domainSalt,
    assets: network.assets.map(({ symbol, address, decimals, unit }) => ({
      symbol,
      address,
      decimals,
      unit: unit.toString(),
    })),
    local: network.local,
    rpc_url: network.rpcUrl,
    walletconnect_project_id: network.walletConnectProjectId,
    finality: network.finality,
    artefacts: { manifest_sha256: network.manifestHash },
    gas_limits: Object.fromEntries(Object.entries(GAS_LIMIT).map(([kind, gas]) => [kind, Number(gas)])),
  };
}

/** The response of `GET /api/network`. */
export type NetworkResource = ReturnType<typeof toNetworkResource>;
