import { createPublicClient, createWalletClient, defineChain, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { Deployer } from "./deploy-deterministic.ts";

export interface ChainAccess {
  rpcUrl: string;
  chainId: number;
  /** Private key of the deployer, which becomes the ledger's owner and pays the gas. */
  deployerKey: Hex;
}

/**
 * Returns the clients for a deployment.
 *
 * @throws Error when the RPC serves another chain, or the deployer has no coins
 */
export async function connect({ rpcUrl, chainId, deployerKey }: ChainAccess): Promise<Deployer> {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const transport = http(rpcUrl);
  const reader = createPublicClient({ chain, transport, pollingInterval: 50 });
  const wallet = createWalletClient({ chain, transport, account: privateKeyToAccount(deployerKey) });
  const served = await reader.getChainId();
  if (served !== chainId) throw new Error(`${rpcUrl} serves chain ${served}, not ${chainId}`);
  if ((await reader.getBalance({ address: wallet.account.address })) === 0n) {
    throw new Error(`the deployer ${wallet.account.address} has no coins on chain ${chainId}`);
  }
  return { reader, wallet };
}
