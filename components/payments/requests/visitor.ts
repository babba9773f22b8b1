import type { NetworkResource } from "@/lib/accounts/networks/describe-network";
import type { OwnPayment } from "@/lib/payments/requests/own-payment";

/** Who views the page: signed in with an account of the network, with a wallet only, or not signed in. */
export type Visitor =
  | { at: "out" }
  | { at: "no-account" }
  | {
      at: "in";
      address: string;
      handle: string;
      network: NetworkResource;
      /** Their own payment of the request, if they have sent one that did not fail. */
      payment: OwnPayment | null;
      /** Path of the vault's script. */
      vaultWorker: string;
    };
