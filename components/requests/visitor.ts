import type { NetworkResource } from "@/lib/networks/describe-network";

/** Who looks at the page: signed in with an account of the network, with a wallet alone, or not at all. */
export type Visitor =
  | { at: "out" }
  | { at: "no-account" }
  | {
      at: "in";
      address: string;
      handle: string;
      network: NetworkResource;
      /** Path of the vault's script. */
      vaultWorker: string;
    };
