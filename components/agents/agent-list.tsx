"use client";

import { Bot, KeyRound, Pause, Play, Plus } from "lucide-react";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { AgentLine } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { Badge } from "@/components/ui/badge";
import { Button, buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { WrittenHours } from "@/components/ui/written-hours";
import type { AgentSpending } from "@/components/vault/methods/agent-spending";
import { useVault } from "@/components/vault/vault-provider";
import { policyInWords } from "@/lib/policy/in-words";
import { type AgentSummary, shownAssets } from "./agent-summary";
import { type AgentVerb, AllAgentsDialog } from "./all-agents-dialog";
import { PauseAgent } from "./pause-agent";
import { AgentStatusBadge } from "./status-badge";
import { Today } from "./today";
import { UnlockBar } from "./unlock-bar";
import { useAgentSpending } from "./use-agent-spending";

function Counts({ agent }: { agent: AgentSummary }) {
  const network = useNetwork();
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-muted text-xs">
      <span className="inline-flex items-center gap-1.5">
        <KeyRound size={13} aria-hidden="true" />
        {agent.keys === 0 ? "No keys" : `${agent.keys} ${agent.keys === 1 ? "key" : "keys"}`}
      </span>
      {agent.pending > 0 && (
        <Link href={`/${network}/approvals`} className="relative z-10">
          <Badge tone="accent">
            {agent.pending} {agent.pending === 1 ? "waits" : "wait"} for you
          </Badge>
        </Link>
      )}
    </p>
  );
}

/** @param spending null if nothing could be decrypted; undefined while decrypting */
function Row({ agent, spending }: { agent: AgentSummary; spending: AgentSpending | null | undefined }) {
  const network = useNetwork();
  const encrypted = useVault().status !== "unlocked";
  const figures = (asset: string) => spending?.assets.find((each) => each.asset === asset);
  // Null if nothing was decrypted, or if this value was not among it.
  const shown = (value: string | undefined) => (spending === undefined ? undefined : (value ?? null));
  return (
    <li className="relative grid gap-x-6 gap-y-4 border-line border-t px-4 py-4 hover:bg-sunken/50 sm:px-5 md:grid-cols-[minmax(0,1fr)_11rem_9.5rem_auto]">
      <div className="grid min-w-0 gap-1.5">
        <p className="flex min-w-0 items-center gap-2">
          <Link
            href={`/${network}/agents/${agent.account_id}`}
            aria-label={agent.handle}
            className="min-w-0 font-medium after:absolute after:inset-0 hover:text-accent focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-accent"
          >
            <AgentLine handle={agent.handle} />
          </Link>
          <AgentStatusBadge status={agent.status} quiet />
        </p>
        <p className="line-clamp-3 text-pretty text-muted text-sm">
          {agent.status === "ended" ? (
            "It pays nothing any more."
          ) : (
            <WrittenHours>{policyInWords(agent.policy)}</WrittenHours>
          )}
        </p>
        <Counts agent={agent} />
      </div>
      <div className="grid content-start gap-3">
        {agent.status !== "ended" && <p className="-mb-2 text-muted text-xs">Used today</p>}
        {(agent.status === "ended" ? [] : shownAssets(agent.policy)).map((asset) => (
          <Today key={asset} spent={shown(figures(asset)?.spent)} policy={agent.policy} asset={asset} />
        ))}
      </div>
      <div className="grid content-start gap-1 max-md:grid-cols-[auto_1fr] max-md:items-baseline max-md:justify-between">
        <p className="text-muted text-xs">Holds</p>
        {shownAssets(agent.policy).map((asset) => (
          <p key={asset} className="text-sm max-md:col-start-2 max-md:text-right">
            <Amount
              value={shown(figures(asset)?.available)}
              asset={asset}
              encrypted={encrypted}
              className="font-medium"
            />
          </p>
        ))}
      </div>
      <div className="relative z-10 max-md:empty:hidden md:flex md:min-w-24 md:justify-end">
        <PauseAgent agent={agent} />
      </div>
    </li>
  );
}

/** The account's agents, and the switch that stops them all. */
export function AgentList({ agents }: { agents: AgentSummary[] }) {
  const network = useNetwork();
  const spending = useAgentSpending(agents);
  const [asked, setAsked] = useState<AgentVerb>();
  const active = agents.filter(({ status }) => status === "active");
  const paused = agents.filter(({ status }) => status === "paused");
  if (agents.length === 0) return <NoAgents network={network} />;
  return (
    <div className="grid gap-4">
      <UnlockBar spending={spending} />
      <Card
        flush
        title={`${agents.length} ${agents.length === 1 ? "agent" : "agents"}`}
        description={countsInWords(agents)}
        action={
          <div className="flex gap-2">
            {paused.length > 0 && (
              <Button
                data-early
                size="small"
                icon={<Play size={14} aria-hidden="true" />}
                onClick={() => setAsked("resume")}
              >
                Resume all
              </Button>
            )}
            {active.length > 0 && (
              <Button
                data-early
                size="small"
                icon={<Pause size={14} aria-hidden="true" className="text-danger" />}
                onClick={() => setAsked("pause")}
              >
                Pause all
              </Button>
            )}
          </div>
        }
      >
        <ul aria-label="Agents">
          {agents.map((agent) => (
            <Row
              key={agent.account_id}
              agent={agent}
              spending={
                spending.data?.find(({ handle }) => handle === agent.handle) ?? (spending.isError ? null : undefined)
              }
            />
          ))}
        </ul>
      </Card>
      {asked && (
        <AllAgentsDialog
          verb={asked}
          agents={asked === "pause" ? active : paused}
          onClose={() => setAsked(undefined)}
        />
      )}
    </div>
  );
}

/** Returns how many agents have which status, or undefined while all of them are active. */
function countsInWords(agents: readonly AgentSummary[]): string | undefined {
  const counted = (["paused", "ended", "active"] as const).flatMap((status) => {
    const count = agents.filter((agent) => agent.status === status).length;
    return count === 0 ? [] : [`${count} ${status}`];
  });
  return agents.every(({ status }) => status === "active") ? undefined : `${counted.join(", ")}.`;
}

function NoAgents({ network }: { network: string }) {
  return (
    <Card flush className="pb-2">
      <EmptyState
        icon={<Bot size={20} />}
        title="No agents yet"
        action={
          <>
            <Link href={`/${network}/agents/new`} className={buttonClass("primary")}>
              <Plus size={15} aria-hidden="true" />
              Create agent
            </Link>
            <Link href="/docs/agents" className={buttonClass()}>
              Read the guide
            </Link>
          </>
        }
      >
        An agent is a separate account for a program: you give it money and a policy, and it pays within that policy by
        itself. Payments above your threshold wait for you, and one switch stops it at once.
      </EmptyState>
    </Card>
  );
}
