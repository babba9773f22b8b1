"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useState } from "react";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useToast } from "@/components/ui/toast";
import { useVault } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/money";
import type { AgentSummary } from "./agent-summary";
import type { Way } from "./move-money-dialog";

const EndAgentDialog = dynamic(() => import("./end-agent-dialog").then((module) => module.EndAgentDialog), {
  ssr: false,
});
const MoveMoneyDialog = dynamic(() => import("./move-money-dialog").then((module) => module.MoveMoneyDialog), {
  ssr: false,
});

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

/** Replacing what an agent signs with, and ending it for good. Nothing of one that has ended but its dialogs. */
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
  /** Its payments that wait for approval. */
  pending: number;
  /** Only the wallet moves money between the account and its agents. */
  guarded: boolean;
}) {
  const vault = useVault();
  const toast = useToast();
  const refresh = useRefresh();
  const [asked, setAsked] = useState<"replace" | "end" | Way>();
  const close = () => setAsked(undefined);
  const { handle, status } = agent;
  const replace = async () => {
    await vault.run("replaceAgentKey", { agent: handle });
    toast.success("Signing key replaced", `${handle} pays with a new one.`);
    refresh();
  };
  return (
    <>
      {status !== "ended" && (
        <Card title="Access" description="Who signs for this agent, on the chain.">
          <div className="divide-y divide-line">
            <Act
              title="Replace the signing key"
              says="If the agent's own key may have leaked. From then on the old key signs nothing. API keys, money and policy stay as they are."
            >
              <Button size="small" onClick={() => setAsked("replace")}>
                Replace key
              </Button>
            </Act>
            <Act
              title="End this agent"
              says="Nothing pays from its balance any more, not even a payment you approve. Its money stays yours, and you take it back."
            >
              <Button size="small" tone="danger" onClick={() => setAsked("end")}>
                End agent
              </Button>
            </Act>
          </div>
        </Card>
      )}
      <ConfirmDialog
        open={asked === "replace"}
        onClose={close}
        title={`Replace the signing key of ${handle}?`}
        confirm="Replace key"
        tone="primary"
        failed="The key was not replaced."
        onConfirm={replace}
      >
        <p>
          This browser creates a new key and encrypts it for the agent's API keys. Your wallet signs. Payments that the
          old key signed and that are not final yet are void; nothing is paid twice.
        </p>
      </ConfirmDialog>
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
