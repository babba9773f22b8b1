import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { explorerUrl } from "@/lib/accounts/networks/explorer-url";
import { CHAIN_ID, NETWORKS, type Network } from "@/lib/base/network";

/** Returns a network if its chain responds. If it does not, the other network can still be checked. */
async function checkable(network: Network): Promise<CheckableNetwork[]> {
  try {
    const { ledger, assets, local, rpcUrl, finality } = await describeNetwork(CHAIN_ID[network]);
    const shown = assets.map(({ symbol, address, decimals, unit }) => ({ symbol, address, decimals, unit }));
    const explorer = explorerUrl({ network, local }, "");
    const known = { network, chainId: CHAIN_ID[network], ledger: ledger as `0x${string}`, rpcUrl, finality, explorer };
    return [{ ...known, assets: shown }];
  } catch {
    return [];
  }
}

/** Returns the networks against which the public pages check receipts and proofs of funds. */
export async function checkableNetworks(): Promise<CheckableNetwork[]> {
  return (await Promise.all(NETWORKS.map(checkable))).flat();
}
