import { notAgentOwner } from "@/lib/agents/find-own-agent";
import type { Context } from "@/lib/context/context";

/** Lets only an owner manage agents and decide on their payments. @throws ApiError `not_agent_owner` to an agent */
export function requireOwner({ account }: Pick<Context, "account">): void {
  if (account.type === "agent") throw notAgentOwner();
}
