import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { InvalidRequestLink } from "@/lib/ledger/crypto/errors";
import { readLinkKey } from "@/lib/ledger/payment-request/request-link";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { Chain } from "@/sdk/chain/chain";
import { type OpenedRequest, openedRequest, type PublicRequest } from "@/sdk/payments/requests/open-request";
import { verifyRequest } from "@/sdk/payments/requests/verify-request";

/** The result of opening a link. `forged`: the payee's signature is invalid. */
export type DecryptedLink =
  | { outcome: "verified"; request: OpenedRequest }
  | { outcome: "wrong-link" | "forged" | "unreachable"; reason: string };

/** Decrypts a request in this browser and checks its signature against the chain. Nothing is shown before that. */
export async function openLink(
  request: PublicRequest,
  keyText: string,
  networks: readonly CheckableNetwork[],
): Promise<DecryptedLink> {
  try {
    const linkKey = readLinkKey(keyText);
    const network = networks.find((candidate) => candidate.network === request.network);
    if (!network) return { outcome: "unreachable", reason: "This service cannot reach the request's chain now." };
    const verified = await verifyRequest(request, linkKey, network, new Chain(network.rpcUrl, network.ledger));
    return { outcome: "verified", request: openedRequest(request, verified) };
  } catch (thrown) {
    if (thrown instanceof InvalidRequestLink) return { outcome: "wrong-link", reason: thrown.message };
    const { code, message, param } = toHalcyonError(thrown);
    if (code !== "invalid_request") {
      return { outcome: "unreachable", reason: "The chain does not respond. Try again in a moment." };
    }
    return { outcome: param === "signature" ? "forged" : "wrong-link", reason: message };
  }
}
