import { messageOf } from "@/components/api/message-of";
import type { CheckableNetwork } from "@/components/documents/receipt/checkable-network";
import { decodeProofOfFunds } from "@/lib/ledger/funds/proof-of-funds";
import { createBrowserProver } from "@/lib/prover/create-browser-prover";
import { toHalcyonError } from "@/sdk/api/to-halcyon-error";
import { Chain } from "@/sdk/chain/chain";
import {
  checkProofOfFunds,
  networkOfProof,
  type VerifiedProofOfFunds,
} from "@/sdk/statements/proofs-of-funds/check-proof-of-funds";

/** The result of a check: proven, refused with the reason, or not possible. */
export type CheckedProofOfFunds =
  | { outcome: "proven"; proof: VerifiedProofOfFunds; network: CheckableNetwork }
  | { outcome: "refused" | "unreachable"; reason: string };

/** Checks a proof in this browser: the zero-knowledge proof in a worker loaded for it, the rest against the chain. */
export async function checkProofText(
  text: string,
  networks: readonly CheckableNetwork[],
): Promise<CheckedProofOfFunds> {
  const prover = createBrowserProver();
  try {
    const funds = decodeProofOfFunds(text);
    const named = networkOfProof(funds);
    const network = networks.find((candidate) => candidate.network === named);
    if (!network) return { outcome: "unreachable", reason: "This service cannot reach that proof's chain now." };
    const chain = new Chain(network.rpcUrl, network.ledger);
    return { outcome: "proven", proof: await checkProofOfFunds(funds, network, chain, prover.verify), network };
  } catch (thrown) {
    const error = toHalcyonError(thrown);
    if (error.code === "invalid_request") return { outcome: "refused", reason: error.message };
    if (error.code === "unavailable") return { outcome: "unreachable", reason: messageOf(error) };
    return { outcome: "unreachable", reason: "Try again in a moment." };
  } finally {
    await prover.close();
  }
}
