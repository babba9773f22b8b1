import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { owner } from "@/app/(dashboard)/owner";
import { AgentPolicyEdit } from "@/components/policy/agent-policy-edit";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import { readOwnersPolicy, toOwnersPolicy } from "@/lib/agents/owners-policy";

export const metadata: Metadata = { title: "Edit policy" };

/** Edits the policy of one agent. The browser signs it, so saving needs JavaScript. */
export default async function AgentPolicyPage({ params }: { params: Promise<{ network: string; id: string }> }) {
  const { network, id } = await params;
  const ctx = await owner(network);
  // Other owners' agents and unknown ids look the same.
  const agent = toAgentResource((await listAgents(ctx)).find((each) => each.id === id) ?? notFound());
  const home = `/${network}/agents/${id}`;
  if (agent.status === "ended") redirect(home);
  const policy = toOwnersPolicy(await readOwnersPolicy(ctx, id));
  return (
    <>
      <PageHeader
        back={<BackLink href={home}>{agent.handle}</BackLink>}
        title="Edit policy"
        description="What the agent may spend without asking you. Changes take effect as soon as you save. Rules that the chain enforces hold even if someone takes over Halcyon's servers."
      />
      <AgentPolicyEdit agentId={id} handle={agent.handle} initial={policy} />
    </>
  );
}
