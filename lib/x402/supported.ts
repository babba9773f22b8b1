import { CHAIN_IDS } from "@/lib/chain/clients";
import { networkName, SCHEME } from "./facilitation";

/** What the service facilitates (`GET /x402/supported`). It sees no amounts: the seller has to look by itself. */
export function supported() {
  const kinds = CHAIN_IDS.map((chainId) => ({
    x402Version: 2,
    scheme: SCHEME,
    network: networkName(chainId),
    extra: { amounts: false },
  }));
  return { kinds, extensions: [], signers: {} };
}
