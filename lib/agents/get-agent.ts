import { eq } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { agents, spendPolicies } from "@/db/schema/agents";
import type { AgentView } from "./agent-resource";

/** What a view of an agent has of its rows: its account, its row and its policy. */
export const VIEW_COLUMNS = {
  id: accounts.id,
  handle: accounts.handle,
  address: accounts.address,
  status: agents.status,
  policyId: spendPolicies.id,
};

/** Returns an agent that `findOwnAgent` found as its owner sees it. */
export async function getAgent({ id }: { id: string }, at: Pick<Tx, "select"> = db()): Promise<AgentView> {
  const [view] = await at
    .select(VIEW_COLUMNS)
    .from(accounts)
    .innerJoin(agents, eq(agents.accountId, accounts.id))
    .innerJoin(spendPolicies, eq(spendPolicies.holderId, accounts.id))
    .where(eq(accounts.id, id));
  if (!view) throw new Error("an agent has lost its row or its policy");
  return view;
}
