import { CHAIN_IDS } from "@/lib/chain/clients";
import { networkName, SCHEME } from "./facilitation";

/**
 * Returns what the service facilitates (`GET /x402/supported`). The service sees no amounts, so the seller has to check
 * them.
 */
export function supported() {
  const kinds = CHAIN_IDS.map((chainId) => ({
    x402Version: 2,
    scheme: SCHEME,
    network: networkName(chainId),
    extra: { amounts: false },
  }));
  return { kinds, extensions: [], signers: {} };
}
