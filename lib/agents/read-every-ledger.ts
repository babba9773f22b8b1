import { readLedgersOf } from "@/lib/balances/read-ledger";
import type { SessionContext } from "@/lib/base/context/context";
import { listAgents } from "./list-agents";

/**
 * Returns what the owner's client needs of the account and all of its agents, in every asset. Available balances that
 * have never held anything are left out.
 *
 * @throws ApiError `not_agent_owner` if the caller is an agent
 */
export async function readEveryLedger(ctx: SessionContext) {
  const agents = await listAgents(ctx);
  return readLedgersOf(ctx, [ctx.account.address, ...agents.map(({ address }) => address)]);
}
