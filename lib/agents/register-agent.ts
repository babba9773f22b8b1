import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import { refuseRelayer } from "@/lib/chain/relayer";
import { scopeOf } from "@/lib/chain/scope-of";
import { wouldSucceed } from "@/lib/chain/would-succeed";
import { DENY_ALL } from "@/lib/policy/spend-policy";
import { acceptPolicy } from "./accept-policy";
import type { AgentView } from "./agent-resource";
import { authorityOf } from "./authority-of";
import { partyAtLatest } from "./party-at-latest";
import { enrollAgentCall, ownerRecord, recordAgent } from "./record-agent";
import { requireOwner } from "./require-owner";
import type { AgentRegistration, NewAgent, SignedPolicy } from "./schema";

/** An agent whose wallet the owner's client has created. */
interface AgentToRegister extends NewAgent {
  registration: AgentRegistration;
  /** Its first policy. */
  signed: SignedPolicy;
}

/**
 * Registers an agent whose wallet the owner's client created. The service only sees its key encrypted, and relays what
 * owner and agent have signed.
 *
 * @throws ApiError `not_agent_owner`, `handle_taken`, `invalid_request` for a deadline in the past or more than 24
 *   hours ahead or what the ledger would refuse, `key_forbidden` if the policy's signature covers something else,
 *   `available_balance_changed` for an old `secret_version`, `rate_limited`
 */
export async function registerAgent(
  ctx: Context,
  { registration, signed, ...agent }: AgentToRegister,
  beforeCommit: BeforeCommit<AgentView> = async () => {},
): Promise<AgentView> {
  requireOwner(ctx);
  requireDeadline(registration.deadline, "registration.deadline");
  const owner = await ownerRecord(ctx);
  refuseRelayer(ctx.chainId, [registration.address], "registration.address");
  const scope = await scopeOf(ctx.chainId);
  const call = {
    address: registration.address,
    wallet: registration.wallet,
    deadline: BigInt(registration.deadline),
    ownerSignature: registration.owner_signature,
    agentSignature: registration.agent_signature,
    secretVersion: registration.secret_version,
  };
  if (!(await wouldSucceed(ctx.chainId, scope.ledger, enrollAgentCall(ctx.account.address, call)))) {
    throw new ApiError(
      "invalid_request",
      "The ledger refuses this agent: it must be signed by your wallet or payment key and by the agent, its wallet must have no account, and your own registration must be final.",
      { param: "registration.owner_signature" },
    );
  }
  const party = await partyAtLatest(ctx.chainId, { address: registration.address, rootAddress: ctx.account.address });
  // Nothing can be paid before there is a policy, so the payment key may sign the first one if the ledger
  // allows it.
  const change = { policy: agent.spend_policy ?? DENY_ALL, paused: false, policyVersion: 0n, isLooser: false };
  const signer = await authorityOf(scope, signed.document, party);
  const first = acceptPolicy(scope, party, change, signed, signer);
  return recordAgent(ctx, agent, owner, { ...call, first }, beforeCommit);
}
