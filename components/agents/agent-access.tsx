"use client";

import { type ReactNode, useState } from "react";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { onDemand } from "@/components/ui/on-demand";
import type { Decimals } from "@/lib/base/money";
import type { AgentSummary } from "./agent-summary";
import type { Way } from "./move-money-dialog";

const EndAgentDialog = onDemand(() => import("./end-agent-dialog").then((module) => module.EndAgentDialog));
const ReplaceKeyDialog = onDemand(() => import("./replace-key-dialog").then((module) => module.ReplaceKeyDialog));
const MoveMoneyDialog = onDemand(() => import("./move-money-dialog").then((module) => module.MoveMoneyDialog));

function Act({ title, says, children }: { title: string; says: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-6 gap-y-3 py-4 first:pt-0 last:pb-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div>
        <h3 className="font-medium text-sm">{title}</h3>
        <p className="mt-0.5 max-w-prose text-pretty text-muted text-sm">{says}</p>
      </div>
      <div>{children}</div>
    </div>
  );
}

/** Lets the owner replace an agent's signing key and end the agent for good. An ended agent shows only open dialogs. */
export function AgentAccess({
  agent,
  owner,
  assets,
  pending,
  guarded,
}: {
  agent: Pick<AgentSummary, "handle" | "status" | "policy">;
  /** The account's handle. */
  owner: string;
  assets: readonly { symbol: string; decimals: Decimals }[];
  /** How many of its payments wait for approval. */
  pending: number;
  /** Whether guard is on: only the wallet moves money between the account and its agents. */
  guarded: boolean;
}) {
  const refresh = useRefresh();
  const [asked, setAsked] = useState<"replace" | "end" | Way>();
  const close = () => setAsked(undefined);
  const { handle, status } = agent;
  return (
    <>
      {status !== "ended" && (
        <Card title="Access" description="Who signs for this agent, on the chain.">
          <div className="divide-y divide-line">
            <Act
              title="Replace the signing key"
              says="Use this if the agent's own key may have leaked. The old key can then no longer sign. API keys, money and policy stay as they are."
            >
              <Button data-early size="small" onClick={() => setAsked("replace")}>
                Replace key
              </Button>
            </Act>
            <Act
              title="End this agent"
              says="Nothing can be paid from its balance any more, not even a payment you approve. Its money stays yours, and you can take it back."
            >
              <Button data-early size="small" tone="danger" onClick={() => setAsked("end")}>
                End agent
              </Button>
            </Act>
          </div>
        </Card>
      )}
      {asked === "replace" && <ReplaceKeyDialog handle={handle} onClose={close} onReplaced={refresh} />}
      {asked === "end" && (
        <EndAgentDialog agent={agent} pending={pending} onClose={close} onTakeBack={() => setAsked("take back")} />
      )}
      {asked === "take back" && (
        <MoveMoneyDialog
          way="take back"
          agent={handle}
          owner={owner}
          assets={assets}
          guarded={guarded}
          onClose={close}
        />
      )}
    </>
  );
}
