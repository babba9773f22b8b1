import type { Metadata } from "next";
import { owner } from "@/app/(dashboard)/owner";
import { Statements } from "@/components/documents/statements/statements";
import { PageHeader } from "@/components/ui/page-header";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { toDisclosureResource } from "@/lib/accounts/shared-views/disclosure-resource";
import { listDisclosures } from "@/lib/accounts/shared-views/list-disclosures";
import { listAgents } from "@/lib/agents/list-agents";

export const metadata: Metadata = { title: "Statements" };

/** Statements of a period, created in the browser. */
export default async function StatementsPage({ params }: { params: Promise<{ network: string }> }) {
  const ctx = await owner((await params).network);
  const [{ assets }, agents, views] = await Promise.all([
    describeNetwork(ctx.chainId),
    listAgents(ctx),
    listDisclosures(ctx),
  ]);
  return (
    <>
      <PageHeader
        title="Statements"
        description="The opening and closing balance of a period, and every movement in between. Created in this browser from the chain."
      />
      <Statements
        agents={agents.map(({ handle }) => ({ value: `@${handle}`, name: `@${handle}` }))}
        views={{ disclosures: views.map(toDisclosureResource) }}
        assets={assets.map(({ symbol }) => ({ value: symbol, name: symbol }))}
      />
    </>
  );
}
