import { isAddressEqual, zeroAddress } from "viem";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { SubmittedOperation } from "@/lib/chain/operations/submit-operation";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import type { AgentView } from "./agent-resource";
import { findOwnAgent } from "./find-own-agent";
import { getAgent } from "./get-agent";
import { requireOwner } from "./require-owner";
import { setAgentSigners } from "./set-agent-signers";

/**
 * Ends an agent, revokes its API keys and rejects its payments that wait for approval. The service refuses its payments from now on; the ledger does once
 * `setAgentSigner` is mined. The owner gets its money back with a withdrawal. Signed by the owner's wallet or payment
 * signing key. Safe to repeat.
 *
 * @throws ApiError `not_agent_owner`, `not_found`; `invalid_request` if the document ends something else or the ledger
 *   would refuse it; `rate_limited`
 */
export async function endAgent(
  ctx: SessionContext,
  agentId: string,
  document: AuthorityDocumentOf<"set_agent_signer">,
): Promise<{ agent: AgentView; operation: SubmittedOperation }> {
  requireOwner(ctx);
  const agent = await findOwnAgent(ctx, agentId);
  const [[named, ...others], [signer = agent.address]] = [document.agents, document.signers];
  if (!named || others.length > 0 || !isAddressEqual(named, agent.address) || !isAddressEqual(signer, zeroAddress)) {
    throw new ApiError("invalid_request", "Sign SetAgentSigner for this agent alone, with the zero address.", {
      param: "agents",
    });
  }
  const operation = await setAgentSigners(ctx, { secret_version: 1, document, wallets: [] });
  return { agent: await getAgent(agent), operation };
}
