"use client";

import { ArrowDownToLine, ArrowUpFromLine } from "lucide-react";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { useVault } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/base/money";
import { type AgentSummary, shownAssets } from "./agent-summary";
import type { Way } from "./move-money-dialog";
import { Today } from "./today";
import { UnlockBar } from "./unlock-bar";
import { useAgentSpending } from "./use-agent-spending";

const MoveMoneyDialog = onDemand(() => import("./move-money-dialog").then((module) => module.MoveMoneyDialog));

/** Shows what an agent holds and has spent today, and moves money to and from it. An ended agent can't receive more. */
export function AgentOverview({
  agent,
  owner,
  assets,
  guarded,
}: {
  agent: Pick<AgentSummary, "handle" | "policy" | "status">;
  /** The account's handle. */
  owner: string;
  assets: readonly { symbol: string; decimals: Decimals }[];
  /** Whether guard is on: only the wallet moves money between the account and its agents. */
  guarded: boolean;
}) {
  const network = useNetwork();
  const encrypted = useVault().status !== "unlocked";
  const spending = useAgentSpending([agent]);
  const [way, setWay] = useState<Way>();
  const opened = spending.data?.[0];
  const figures = (asset: string) => opened?.assets.find((each) => each.asset === asset);
  const shown = (value: string | undefined) => (opened || spending.isError ? (value ?? null) : undefined);
  const ended = agent.status === "ended";
  // True only if the balance is known. Money that the agent received is shown below.
  const isEmpty = opened?.assets.every(({ available, waiting }) => available === "0" && waiting === "0") ?? false;
  const waiting = opened?.assets.filter((each) => each.waiting !== "0") ?? [];
  return (
    <div className="grid gap-4">
      <UnlockBar spending={spending} />
      <Card
        title="Money"
        description={
          ended
            ? `The agent pays nothing any more. ${isEmpty ? "Its balance is empty." : "Take back what its balance holds."}`
            : "The agent pays from its own available balance, never from yours."
        }
        action={
          <div className="flex gap-2">
            {!(ended && isEmpty) && (
              <Button
                data-early
                size="small"
                tone={ended ? "primary" : "secondary"}
                icon={<ArrowUpFromLine size={14} aria-hidden="true" />}
                onClick={() => setWay("take back")}
              >
                Take back
              </Button>
            )}
            {!ended && (
              <Button
                data-early
                size="small"
                tone="primary"
                icon={<ArrowDownToLine size={14} aria-hidden="true" />}
                onClick={() => setWay("fund")}
              >
                Fund
              </Button>
            )}
          </div>
        }
      >
        <div className="grid gap-5">
          {shownAssets(agent.policy).map((asset) => (
            <dl key={asset} className="grid gap-4 sm:grid-cols-2 sm:items-end sm:gap-8">
              <div>
                <dt className="text-muted text-xs">Holds</dt>
                <dd className="mt-1 font-semibold text-2xl tracking-tight">
                  <Amount value={shown(figures(asset)?.available)} asset={asset} encrypted={encrypted} />
                </dd>
              </div>
              {!ended && (
                <div>
                  <dt className="mb-1 text-muted text-xs">Used today</dt>
                  <dd>
                    <Today spent={shown(figures(asset)?.spent)} policy={agent.policy} asset={asset} />
                  </dd>
                </div>
              )}
            </dl>
          ))}
          {waiting.map(({ asset, waiting: amount }) => (
            <Callout
              key={asset}
              action={
                <Link
                  href={`/${network}?do=make-available&asset=${asset}&agent=${encodeURIComponent(agent.handle)}`}
                  className="font-medium text-accent hover:underline"
                >
                  Make available
                </Link>
              }
            >
              <Amount value={amount} asset={asset} className="font-medium" /> received.{" "}
              {ended ? "Make it available, then take it back." : "Make it available, and the agent can pay from it."}
            </Callout>
          ))}
        </div>
      </Card>
      {way && (
        <MoveMoneyDialog
          way={way}
          agent={agent.handle}
          owner={owner}
          assets={assets}
          guarded={guarded}
          onClose={() => setWay(undefined)}
        />
      )}
    </div>
  );
}
