import type { NetworkResource } from "@/lib/networks/describe-network";

/** Who views the page: signed in with an account of the network, with a wallet only, or not signed in. */
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
