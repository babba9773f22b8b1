import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { getAddress, type Hex } from "viem";
import { type Asset, assetsOf } from "@/lib/base/assets";
import { env, type FinalityTag } from "@/lib/base/env";
import { type ChainId, networkOf } from "@/lib/base/network";
import { GAS_LIMIT } from "@/lib/chain/gas";
import { scopeOf } from "@/lib/chain/scope-of";
import { publishedRpc } from "./published-rpc";

/** A network, with everything a client needs to prepare, sign and verify payments on its own. */
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
  /** WalletConnect's project id, which is public. Null if WalletConnect is not configured. */
  walletConnectProjectId: string | null;
  /** SHA-256 of circuits/manifest.json, which lists the hash of every proving artifact. */
  manifestHash: string;
}

let manifestHash: Promise<string> | undefined;

/** Returns the description of a network that this service runs on. */
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

/** Serializes a network for `GET /api/network`. */
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
