import type { Network } from "@/lib/base/network";

/** Block explorers (Blockscout) of the public chains. */
const EXPLORER: Record<Network, string> = {
  test: "https://explorer.testnet.chain.robinhood.com",
  live: "https://robinhoodchain.blockscout.com",
};

/**
 * Returns the address of a transaction's page in the block explorer, or null on a local chain, which has no explorer.
 */
export function explorerUrl({ network, local }: { network: Network; local: boolean }, txHash: string): string | null {
  return local ? null : `${EXPLORER[network]}/tx/${txHash}`;
}
