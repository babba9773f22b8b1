import type { Network } from "@/lib/network";

/** Blockscout instances of the public chains. */
const EXPLORER: Record<Network, string> = {
  test: "https://explorer.testnet.chain.robinhood.com",
  live: "https://robinhoodchain.blockscout.com",
};

/** The public explorer's page of a transaction; null on a local chain, which has none. */
export function explorerUrl({ network, local }: { network: Network; local: boolean }, txHash: string): string | null {
  return local ? null : `${EXPLORER[network]}/tx/${txHash}`;
}
