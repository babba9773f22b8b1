import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { enrollmentOf, owner } from "@/app/(dashboard)/owner";
import { AgentAccess } from "@/components/agents/agent-access";
import { AgentApprovals } from "@/components/agents/agent-approvals";
import { AgentOverview } from "@/components/agents/agent-overview";
import { AgentRefunds } from "@/components/agents/agent-refunds";
import { RECENT, WAITING_SHOWN } from "@/components/agents/agent-summary";
import { AgentTransfers } from "@/components/agents/agent-transfers";
import { PauseAgent } from "@/components/agents/pause-agent";
import { sampleCurl } from "@/components/agents/sample-payment";
import { AgentStatusBadge } from "@/components/agents/status-badge";
import { waitingPage } from "@/components/approvals/held-payment";
import { Keys } from "@/components/keys/keys";
import { PolicyPanel } from "@/components/policy/policy-panel";
import { SpendCard } from "@/components/shell/overview/spend-card";
import { Address } from "@/components/ui/address";
import { BackLink } from "@/components/ui/back-link";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { CodeBlock } from "@/components/ui/code-block";
import { PageHeader } from "@/components/ui/page-header";
import { toKeyEntry } from "@/lib/accounts/keys/api-key";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { describeNetwork } from "@/lib/accounts/networks/describe-network";
import { toAgentResource } from "@/lib/agents/agent-resource";
import { findOwnAgent } from "@/lib/agents/find-own-agent";
import { listAgents } from "@/lib/agents/list-agents";
import { readOwnersPolicy, toOwnersPolicy } from "@/lib/agents/owners-policy";
import { getRefundsSetting } from "@/lib/agents/refunds-setting";
import { env } from "@/lib/base/env";
import { countPendingByAgent } from "@/lib/payments/approvals/count-pending";
import { toEncryptedPendingList } from "@/lib/payments/approvals/held-payment-resource";
import { listPending } from "@/lib/payments/approvals/list-pending";
import { listOwnTransfers } from "@/lib/payments/list-own-transfers";
import { ListTransfersQuery } from "@/lib/payments/schema";
import { toEncryptedList } from "@/lib/payments/transfer-resource";

export const metadata: Metadata = { title: "Agent" };

interface PageProps {
  params: Promise<{ network: string; id: string }>;
  searchParams: Promise<{ do?: string | string[] }>;
}

/** One agent of the account: its policy, balances, keys, transfers and waiting payments. */
export default async function AgentPage({ params, searchParams }: PageProps) {
  const { network, id } = await params;
  const ctx = await owner(network);
  // Other owners' agents and unknown ids look the same.
  const view = (await listAgents(ctx)).find((each) => each.id === id) ?? notFound();
  const agent = toAgentResource(view);
  const acting = { ...ctx, account: await findOwnAgent(ctx, id) };
  const [policyView, keys, transfers, pending, waiting, { assets }, { strict, record }, { refunds }] =
    await Promise.all([
      readOwnersPolicy(ctx, id),
      listKeys(acting),
      listOwnTransfers(acting, ListTransfersQuery.parse({ limit: String(RECENT) })),
      listPending(ctx, { agent: id, limit: WAITING_SHOWN, offset: 0 }).then((page) =>
        waitingPage(toEncryptedPendingList(page)),
      ),
      countPendingByAgent(ctx),
      describeNetwork(ctx.chainId),
      enrollmentOf(ctx),
      getRefundsSetting(ctx, id),
    ]);
  const policy = toOwnersPolicy(policyView);
  const recent = toEncryptedList(transfers);
  const ended = agent.status === "ended";
  const guarded = record?.guarded ?? false;
  const shown = assets.map(({ symbol, decimals }) => ({ symbol, decimals }));
  const owning = `@${ctx.account.handle}`;
  const named = { account_id: id, handle: agent.handle };
  return (
    <>
      <PageHeader
        back={<BackLink href={`/${network}/agents`}>Agents</BackLink>}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="wrap-anywhere">{agent.handle}</span>
            <AgentStatusBadge status={agent.status} />
          </span>
        }
        description={<Address value={agent.public_key} label="address of the agent" />}
        action={<PauseAgent agent={{ ...named, status: agent.status }} size="medium" />}
      />
      <div className="grid gap-4">
        {ended && (
          <Callout title="This agent has ended.">
            Nothing can be paid from its balance any more; the chain enforces that. Any money it still holds is yours.
          </Callout>
        )}
        {agent.status === "paused" && (
          <Callout tone="warning" title="This agent is paused.">
            It pays nothing, whatever its policy allows, until you resume it. Its money can be taken back.
          </Callout>
        )}
        <AgentApprovals agentId={id} initial={pending} />
        <AgentOverview
          agent={{ handle: agent.handle, status: agent.status, policy }}
          owner={owning}
          assets={shown}
          guarded={guarded}
        />
        {!ended && (
          <>
            <PolicyPanel
              key={id}
              agentId={id}
              handle={agent.handle}
              active={agent.status === "active"}
              guarded={guarded}
              initial={policy}
            />
            <Keys
              initial={{ keys: keys.map(toKeyEntry) }}
              agents={[named]}
              only={named}
              strict={strict}
              create={(await searchParams).do === "create"}
            />
          </>
        )}
        {recent.transfers.length > 0 && <SpendCard payer={agent.handle} />}
        <AgentTransfers agentId={id} initial={recent} />
        {!ended && (
          <Card
            title="Pay with a key of this agent"
            description="The agent pays: within its policy at once, above its approval threshold after you approve."
          >
            <CodeBlock commands title="curl" code={sampleCurl(env().origin, "$HALCYON_API_KEY", policy)} />
          </Card>
        )}
        {!ended && <AgentRefunds id={id} handle={agent.handle} initial={refunds} />}
        <AgentAccess
          agent={{ handle: agent.handle, status: agent.status, policy }}
          owner={owning}
          assets={shown}
          pending={waiting.get(id) ?? 0}
          guarded={guarded}
        />
      </div>
    </>
  );
}
