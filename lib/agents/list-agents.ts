import { sql } from "@/db/client";
import type { Context } from "@/lib/base/context/context";
import type { AgentView } from "./agent-resource";
import { requireOwner } from "./require-owner";

interface Row {
  id: string;
  handle: string;
  address: Buffer;
  status: AgentView["status"];
  policy_id: string;
}

/**
 * Returns the caller's agents on its network, oldest first.
 *
 * @throws ApiError `not_agent_owner` if the caller is an agent
 */
export async function listAgents(ctx: Context): Promise<AgentView[]> {
  requireOwner(ctx);
  // An agent whose enrollment failed has no ledger record and is left out.
  const rows = await sql()<Row[]>`
    select a.id, a.handle, a.address, g.status, p.id as policy_id
    from accounts a join agents g on g.account_id = a.id join spend_policies p on p.holder_id = a.id
      join ledger_accounts l on l.chain_id = a.chain_id and l.address = a.address
        and l.owner = ${Buffer.from(ctx.account.address.slice(2), "hex")}
    where a.owner_id = ${ctx.account.id} and a.chain_id = ${ctx.chainId}
    order by a.created_at, a.id`;
  return rows.map(({ id, handle, address, status, policy_id }) => {
    return { id, handle, address: `0x${address.toString("hex")}`, status, policyId: policy_id };
  });
}
