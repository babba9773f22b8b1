import { Plus } from "lucide-react";
import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { AgentList } from "@/components/agents/agent-list";
import type { AgentSummary } from "@/components/agents/agent-summary";
import { buttonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHeader } from "@/components/ui/page-header";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { listAgents } from "@/lib/agents/list-agents";
import { listPolicies } from "@/lib/agents/list-policies";
import { countPendingByAgent } from "@/lib/payments/approvals/count-pending";
import { toSpendPolicyResource } from "@/lib/policy/spend-policy";

export const metadata: Metadata = { title: "Agents" };

/** The account's agents: what each may spend, and its status. */
export default async function AgentsPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const ctx = await owner(network);
  const [agents, policies, keys, pending] = await Promise.all([
    listAgents(ctx),
    listPolicies(ctx),
    listKeys(ctx),
    countPendingByAgent(ctx),
  ]);
  const now = Date.now();
  const summaries = agents.flatMap(({ id, handle, status }): AgentSummary[] => {
    const policy = policies.get(id);
    // An agent registered between the two reads has no policy here yet. The next render shows it.
    if (!policy) return [];
    const works = keys.filter(
      ({ agentHandle, revokedAt, expiresAt }) =>
        agentHandle === handle && !revokedAt && (!expiresAt || expiresAt.getTime() > now),
    );
    return [
      {
        account_id: id,
        handle: `@${handle}`,
        status,
        policy: toSpendPolicyResource(policy.policy),
        keys: works.length,
        pending: pending.get(id) ?? 0,
      },
    ];
  });
  return (
    <>
      <PageHeader
        title="Agents"
        description="Programs that pay by themselves, each from its own available balance and within a policy you set."
        action={
          summaries.length > 0 && (
            <Link href={`/${network}/agents/new`} className={buttonClass("primary")}>
              <Plus size={15} aria-hidden="true" />
              Create agent
            </Link>
          )
        }
      />
      <AgentList agents={summaries} />
    </>
  );
}
