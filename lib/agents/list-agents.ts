import { and, asc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts, ledgerAccounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import type { Context } from "@/lib/base/context/context";
import type { AgentView } from "./agent-resource";
import { VIEW_COLUMNS } from "./get-agent";
import { requireOwner } from "./require-owner";

/**
 * Returns the caller's agents on its network, oldest first.
 *
 * @throws ApiError `not_agent_owner` if the caller is an agent
 */
export async function listAgents(ctx: Context): Promise<AgentView[]> {
  requireOwner(ctx);
  // An agent whose enrollment failed has no ledger record and is left out.
  const isOnLedger = and(
    eq(ledgerAccounts.chainId, ctx.chainId),
    eq(ledgerAccounts.address, accounts.address),
    eq(ledgerAccounts.owner, ctx.account.address),
  );
  return db()
    .select(VIEW_COLUMNS)
    .from(accounts)
    .innerJoin(agents, eq(agents.accountId, accounts.id))
    .innerJoin(spendPolicies, eq(spendPolicies.holderId, accounts.id))
    .innerJoin(ledgerAccounts, isOnLedger)
    .where(and(eq(accounts.ownerId, ctx.account.id), eq(accounts.chainId, ctx.chainId)))
    .orderBy(asc(accounts.createdAt), asc(accounts.id));
}
