import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { Statements } from "@/components/documents/statements/statements";
import { BackLink } from "@/components/ui/back-link";
import { PageHeader } from "@/components/ui/page-header";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { listSharedViews } from "@/lib/accounts/shared-views/list-shared-views";
import { toSharedViewResource } from "@/lib/accounts/shared-views/shared-view-resource";
import { listAgents } from "@/lib/agents/list-agents";

export const metadata: Metadata = { title: "Statements" };

/** Statements of a period, created in the browser. */
export default async function StatementsPage({ params }: { params: Promise<{ network: string }> }) {
  const ctx = await owner((await params).network);
  const [{ assets }, agents, views] = await Promise.all([
    describeNetwork(ctx.chainId),
    listAgents(ctx),
    listSharedViews(ctx),
  ]);
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${ctx.network}/transfers`}>Transfers</BackLink>}
        title="Statements"
        description="The opening and closing balance of a period, and every movement in between. Created in this browser from the chain."
      />
      <Statements
        agents={agents.map(({ handle }) => ({ value: `@${handle}`, name: `@${handle}` }))}
        views={{ shared_views: views.map(toSharedViewResource) }}
        assets={assets.map(({ symbol }) => ({ value: symbol, name: symbol }))}
      />
    </>
  );
}
