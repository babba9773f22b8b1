import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { NewAgent } from "@/components/agents/new-agent";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { listAgents } from "@/lib/agents/list-agents";
import { env } from "@/lib/base/env";

export const metadata: Metadata = { title: "Create agent" };

/** Creates an agent. The browser prepares everything, so this page needs JavaScript. */
export default async function NewAgentPage({ params }: { params: Promise<{ network: string }> }) {
  const { network } = await params;
  const ctx = await owner(network);
  const agents = await listAgents(ctx);
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/agents`}>Agents</BackLink>}
        title="Create agent"
        description="A separate account for a program. It pays within the policy you set here, from money you give it."
      />
      <NewAgent
        owner={`@${ctx.account.handle}`}
        taken={agents.map(({ handle }) => `@${handle}`)}
        origin={env().origin}
      />
    </>
  );
}
