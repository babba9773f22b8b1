import type { Metadata } from "next";
import { enrollmentOf, owner } from "@/app/(dashboard)/owner";
import { Consent } from "@/components/agents/connections/consent";
import { Callout } from "@/components/ui/callout";
import { PageHeader } from "@/components/ui/page-header";
import { toAgentResource } from "@/lib/agents/agent-resource";
import { listAgents } from "@/lib/agents/list-agents";
import { env } from "@/lib/base/env";
import { readAuthorizationRequest } from "@/lib/http/connections/read-authorization-request";
import { redirectDestination } from "@/lib/http/connections/redirect-uri";
import { mcpResource } from "@/lib/http/connections/resource";

export const metadata: Metadata = { title: "Connect an application" };

/** Where the owner decides about an application that asks for access to an agent (OAuth 2.1). */
export default async function ConnectPage({
  params,
  searchParams,
}: {
  params: Promise<{ network: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const ctx = await owner((await params).network);
  const query = await searchParams;
  const request = readAuthorizationRequest(query);
  const refusal =
    "refusal" in request
      ? request.refusal
      : request.network !== ctx.network && "The application asks for access on the other network.";
  if ("refusal" in request || refusal) {
    const back = "refusal" in request ? request.back : null;
    return (
      <>
        <PageHeader title="Connect an application" />
        <Callout tone="danger" title="This link can't be used.">
          {refusal} Nothing was connected. Close this page if you did not start this yourself.
          {back !== null && (
            <>
              {" "}
              If you did,{" "}
              <a href={back} className="underline">
                return to the application
              </a>{" "}
              at {redirectDestination(back).host}.
            </>
          )}
        </Callout>
      </>
    );
  }
  const [agents, { strict }] = await Promise.all([listAgents(ctx), enrollmentOf(ctx)]);
  const { client, redirectUri, codeChallenge, scopes, state } = request;
  return (
    <>
      <PageHeader
        title="Connect an application"
        description="It acts for one agent, within that agent's policy, for an hour. You can disconnect it at any time."
      />
      <Consent
        agents={agents
          .map(toAgentResource)
          .filter(({ status }) => status !== "ended")
          .map(({ account_id, handle, status }) => ({ account_id, handle, paused: status === "paused" }))}
        application={client.name}
        redirectUri={redirectUri}
        destination={redirectDestination(redirectUri)}
        scopes={scopes}
        state={state}
        issuer={env().origin}
        strict={strict}
        consent={{
          application: client.name,
          redirectUri,
          resource: mcpResource(ctx.network),
          clientId: client.id,
          codeChallenge,
        }}
        request={query as Record<string, string>}
      />
    </>
  );
}
