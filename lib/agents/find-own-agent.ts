import { sql } from "@/db/client";
import type { Context, ContextAccount } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { normaliseAgentHandle } from "@/lib/base/handle";
import { isId } from "@/lib/base/ids";

interface Row {
  id: string;
  handle: string;
  address: Buffer;
  owner_id: string;
  owner_address: Buffer;
  created_at: string;
}

/**
 * Returns one of the caller's agents on its network, by account id or handle (`@owner/agent`). An agent's key finds
 * only its own agent.
 *
 * @throws ApiError `not_found` for an agent that does not exist, `not_agent_owner` for someone else's
 */
export async function findOwnAgent(ctx: Pick<Context, "account" | "chainId">, name: string): Promise<ContextAccount> {
  const column = isId("account", name) ? "id" : "handle";
  const value = column === "id" ? name : normaliseAgentHandle(name);
  const [row] =
    value === null
      ? []
      : await sql()<Row[]>`
          select a.id, a.handle, a.address, a.owner_id, a.created_at, o.address as owner_address
          from accounts a join accounts o on o.id = a.owner_id
          where a.${sql()(column)} = ${value} and a.chain_id = ${ctx.chainId}`;
  if (!row) throw new ApiError("not_found", "No agent has this name on this network. List your agents to find it.");
  const mine = ctx.account.type === "agent" ? row.id === ctx.account.id : row.owner_id === ctx.account.id;
  if (!mine) throw notAgentOwner();
  return {
    id: row.id,
    handle: row.handle,
    address: `0x${row.address.toString("hex")}`,
    type: "agent",
    rootId: row.owner_id,
    rootAddress: `0x${row.owner_address.toString("hex")}`,
    createdAt: new Date(row.created_at),
  };
}

/** Returns the error for another account's agent, and for an agent's key that tries to manage agents. */
export function notAgentOwner(): ApiError {
  return new ApiError("not_agent_owner", "Only the agent's owner may do this. Use a key of the owner's account.");
}
