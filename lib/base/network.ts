/**
 * The two networks of the service, each with one chain. A key, an enrollment and a transfer belong to exactly one
 * network.
 */
export const CHAIN_ID = { test: 46630, live: 4663 } as const;

export type Network = keyof typeof CHAIN_ID;
export type ChainId = (typeof CHAIN_ID)[Network];

export const NETWORKS = ["test", "live"] as const satisfies readonly Network[];

/**
 * Returns the network of a chain id.
 *
 * @throws Error for any other number
 */
export function networkOf(chainId: number): Network {
  for (const network of NETWORKS) if (CHAIN_ID[network] === chainId) return network;
  throw new Error(`chain ${chainId} is neither ${CHAIN_ID.test} nor ${CHAIN_ID.live}`);
}
