import { readLedgersOf } from "@/lib/budgets/read-ledger";
import type { SessionContext } from "@/lib/context/context";
import { listAgents } from "./list-agents";

/**
 * What the owner's client needs of the account and all of its agents, in every asset: for a client that shows all of them.
 * A budget that has never had anything is left out.
 *
 * @throws ApiError `not_agent_owner` to an agent
 */
export async function readEveryLedger(ctx: SessionContext) {
  const agents = await listAgents(ctx);
  return readLedgersOf(ctx, [ctx.account.address, ...agents.map(({ address }) => address)]);
}
