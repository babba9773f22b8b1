"use client";

import { ArrowRight, Monitor } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Fact } from "@/components/ui/fact";
import { Field, Options, Select } from "@/components/ui/field";
import { FormEnd } from "@/components/ui/form-end";
import { Link } from "@/components/ui/link";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { redirectWith } from "@/lib/http/connections/redirect-uri";
import { CONNECTION_MS, type ConnectionTime } from "@/lib/ledger/prepare/consent";
import type { ConnectAgentInput } from "@/sdk/account/connect-agent";

/** An agent to choose from. */
interface ChoosableAgent {
  account_id: string;
  handle: string;
  paused: boolean;
}

interface ConsentProps {
  agents: ChoosableAgent[];
  application: string;
  redirectUri: string;
  destination: { host: string; ownMachine: boolean };
  scopes: ("read" | "pay")[];
  state?: string;
  /** This service's issuer identifier, which the application checks (RFC 9207). */
  issuer: string;
  /** Whether strict mode is on: no application can pay by itself. */
  strict: boolean;
  consent: Omit<ConnectAgentInput["consent"], "lasts">;
  request: ConnectAgentInput["request"];
}

const TIMES = (Object.keys(CONNECTION_MS) as ConnectionTime[]).map((value) => ({ value, name: value }));

function Access({ scopes, strict }: { scopes: ConsentProps["scopes"]; strict: boolean }) {
  const pays = scopes.includes("pay") && !strict;
  return (
    <ul className="grid list-disc gap-1 pl-4">
      <li>See this agent's payments and policy, without amounts</li>
      {pays && <li>Pay from this agent within its policy; payments above its threshold wait for you</li>}
      {pays && (
        <li>Halcyon decrypts this agent's available balance for each of its payments, as with a plain API key</li>
      )}
      {!pays && <li>It can't pay</li>}
    </ul>
  );
}

/** Shows what the application is, where it redirects to and what it may do. Connects it once the wallet has signed. */
export function Consent(props: ConsentProps) {
  const { agents, application, redirectUri, destination, scopes, state, issuer, strict, consent, request } = props;
  const vault = useVault();
  const network = useNetwork();
  const [agent, setAgent] = useState("");
  const [lasts, setLasts] = useState<ConnectionTime>("1 hour");
  const [left, setLeft] = useState(false);
  const { busy, error, isUnknown, run } = useAsyncAction();
  const leave = (response: Record<string, string | undefined>) => {
    setLeft(true);
    location.assign(redirectWith(redirectUri, { ...response, state, iss: issuer }));
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    return run(async () => {
      const { code } = await vault.run("connectAgent", { agent, request, consent: { ...consent, lasts }, scopes });
      leave({ code });
    });
  };
  if (agents.length === 0) {
    return (
      <Callout title="You have no agent to connect it to.">
        An application acts for an agent, never for your whole account.{" "}
        <Link href={`/${network}/agents/new`} className="underline">
          Create an agent
        </Link>
        , then let the application connect again.
      </Callout>
    );
  }
  const chosen = agents.find(({ handle }) => handle === agent);
  return (
    <Card className="max-w-2xl">
      <form onSubmit={submit} className="grid gap-5">
        <dl className="-my-3 divide-y divide-line">
          <Fact name="Application">
            <span className="wrap-anywhere font-medium">{application}</span>
            <span className="mt-0.5 block text-muted">It chose this name itself. No one has checked it.</span>
          </Fact>
          <Fact name="Sends you to">
            <span className="inline-flex items-center gap-1.5 font-medium">
              {destination.ownMachine ? (
                <Monitor size={14} aria-hidden="true" className="shrink-0" />
              ) : (
                <ArrowRight size={14} aria-hidden="true" className="shrink-0" />
              )}
              <span className="wrap-anywhere">
                {destination.ownMachine ? `A program on this computer (${destination.host})` : destination.host}
              </span>
            </span>
            <span className="wrap-anywhere mt-0.5 block font-mono text-muted text-xs">{redirectUri}</span>
          </Fact>
          <Fact name="It can">
            <Access scopes={scopes} strict={strict} />
          </Fact>
        </dl>
        <Field label="Agent" hint="The one agent it acts for.">
          {(control) => (
            <Select {...control} name="agent" required value={agent} onChange={(event) => setAgent(event.target.value)}>
              <option value="" disabled>
                Choose an agent
              </option>
              <Options choices={agents.map(({ handle }) => ({ value: handle, name: handle }))} />
            </Select>
          )}
        </Field>
        <Field label="For" hint="You can disconnect it at any time, and the agent's policy limits it meanwhile.">
          {(control) => (
            <Select
              {...control}
              name="lasts"
              value={lasts}
              onChange={(event) => setLasts(event.target.value as ConnectionTime)}
            >
              <Options choices={TIMES} />
            </Select>
          )}
        </Field>
        {chosen?.paused && <Callout>This agent is paused. It pays nothing until you resume it.</Callout>}
        <Callout tone="warning" title="Did you start this yourself, just now?">
          Connect it only if you did, in an application you trust, and if it sends you to the place you expect.
        </Callout>
        <FormEnd error={error} isUnknown={isUnknown} busy={busy || left} verb="Connect">
          <Button data-early disabled={busy || left} onClick={() => leave({ error: "access_denied" })}>
            Cancel
          </Button>
        </FormEnd>
      </form>
    </Card>
  );
}
