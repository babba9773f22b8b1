import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import type { SessionContext } from "@/lib/context/context";
import { ApiError } from "@/lib/errors";
import { requireDeadline } from "@/lib/operations/require-deadline";
import type { AgentView } from "./agent-resource";
import { enrollAgentCall, ownerRecord, recordAgent } from "./record-agent";
import { requireOwner } from "./require-owner";
import type { RegisterAgentInput } from "./schema";

/**
 * Registers an agent whose wallet the owner's client has made: the service sees its key sealed only, and relays what
 * owner and agent have signed.
 *
 * @throws ApiError `not_agent_owner`, `handle_taken`, `invalid_request` for a deadline that is past or over 24 h ahead,
 *   or what the ledger would refuse, `budget_changed` for an old `secret_version`, `rate_limited`
 */
export async function registerAgent(ctx: SessionContext, input: RegisterAgentInput): Promise<AgentView> {
  requireOwner(ctx);
  requireDeadline(input.deadline, "deadline");
  const owner = await ownerRecord(ctx);
  const registration = {
    address: input.address,
    wallet: input.wallet,
    deadline: BigInt(input.deadline),
    ownerSignature: input.owner_signature,
    agentSignature: input.agent_signature,
    secretVersion: input.secret_version,
  };
  const { ledger } = await scopeOf(ctx.chainId);
  if (!(await wouldSucceed(ctx.chainId, ledger, enrollAgentCall(ctx.account.address, registration)))) {
    throw new ApiError(
      "invalid_request",
      "The ledger refuses this agent: it must be signed by your wallet or payment signing key and by the agent, its wallet must have no account, and your own registration must be final.",
      { param: "owner_signature" },
    );
  }
  return recordAgent(ctx, { name: input.name, policy: input.spend_policy }, owner, registration, async () => {});
}
