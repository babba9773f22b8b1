import type { Metadata } from "next";
import { enrollmentOf, owner } from "@/app/(dashboard)/owner";
import { Connections } from "@/components/agents/connections/connections";
import { KeySamples } from "@/components/keys/key-samples";
import { Keys } from "@/components/keys/keys";
import { PageHeader } from "@/components/ui/page-header";
import { toKeyEntry } from "@/lib/accounts/keys/api-key";
import { blindSince } from "@/lib/accounts/keys/blind-since";
import { listKeys } from "@/lib/accounts/keys/list-keys";
import { toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import { isoTime } from "@/lib/base/clock";
import { env } from "@/lib/base/env";
import { toConnectionResource } from "@/lib/http/connections/connection-resource";
import { listConnections } from "@/lib/http/connections/list-connections";

export const metadata: Metadata = { title: "API keys" };

export default async function KeysPage({
  params,
  searchParams,
}: {
  params: Promise<{ network: string }>;
  searchParams: Promise<{ do?: string | string[] }>;
}) {
  const ctx = await owner((await params).network);
  const [keys, since, agents, { strict }, connections] = await Promise.all([
    listKeys(ctx),
    blindSince(ctx),
    listAgents(ctx),
    enrollmentOf(ctx),
    listConnections(ctx),
  ]);
  // An ended agent gets no new keys.
  const running = agents.filter(({ status }) => status !== "ended").map(toAgentResource);
  return (
    <>
      <PageHeader
        title="API keys"
        description="A key lets a program pay from your available balance, or from one agent's within its policy. This browser creates it: the service stores its hash, never the key."
      />
      <Keys
        initial={{ keys: keys.map(toKeyEntry), blind_since: since && isoTime(since) }}
        agents={running.map(({ account_id, handle }) => ({ account_id, handle }))}
        strict={strict}
        create={(await searchParams).do === "create"}
      />
      <Connections initial={{ connections: connections.map(toConnectionResource) }} />
      <KeySamples origin={env().origin} prefix={`hc_${ctx.network}_`} />
    </>
  );
}
