import { notAgentOwner } from "@/lib/agents/find-own-agent";
import type { Context } from "@/lib/base/context/context";

/**
 * Checks that the caller is an owner, who may manage agents and decide on their payments.
 *
 * @throws ApiError `not_agent_owner` if the caller is an agent
 */
export function requireOwner({ account }: Pick<Context, "account">): void {
  if (account.type === "agent") throw notAgentOwner();
}
