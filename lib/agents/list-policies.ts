import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { spendPolicies } from "@/db/schema/agents";
import type { Context } from "@/lib/base/context/context";
import type { PolicyView } from "./agent-resource";
import { policyOfRow } from "./policy-row";
import { requireOwner } from "./require-owner";

/**
 * Returns the spend policies of the caller's agents on its network, by agent id.
 *
 * @throws ApiError `not_agent_owner` if the caller is an agent
 */
export async function listPolicies(ctx: Context): Promise<Map<string, PolicyView>> {
  requireOwner(ctx);
  const rows = await db()
    .select({ policy: spendPolicies })
    .from(spendPolicies)
    .innerJoin(accounts, eq(accounts.id, spendPolicies.holderId))
    .where(and(eq(accounts.ownerId, ctx.account.id), eq(accounts.chainId, ctx.chainId)));
  return new Map(
    rows.map(({ policy: row }) => [row.holderId, { id: row.id, policy: policyOfRow(row), updatedAt: row.updatedAt }]),
  );
}
