"use client";

import { SlidersHorizontal } from "lucide-react";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { buttonClass } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { Time } from "@/components/ui/time";
import type { OwnPolicy } from "./own-policy";
import { PolicyFacts } from "./policy-facts";
import { PolicySentence } from "./policy-sentence";

const NotInForce = onDemand(async () => (await import("./not-in-force")).NotInForce);

/** Shows an agent's policy. Its editor is a separate page. */
export function PolicyPanel({
  agentId,
  handle,
  active,
  guarded,
  initial,
}: {
  agentId: string;
  handle: string;
  /** Whether the agent is active. A paused agent pays nothing, whether its policy is in force or not. */
  active: boolean;
  /** Whether guard is on: only the wallet changes policies. */
  guarded: boolean;
  initial: OwnPolicy;
}) {
  const network = useNetwork();
  const path = `/v1/agents/${agentId}/spend-policy` as const;
  const { data: policy = initial } = useResource<OwnPolicy>(path, { query: { include: "ledger" }, initial });
  return (
    <Card
      title="Policy"
      description={
        <>
          What the agent may spend without asking you. Last changed <Time value={policy.updated_at} />.
        </>
      }
      action={
        <Link href={`/${network}/agents/${agentId}/policy`} className={buttonClass("secondary", "small")}>
          <SlidersHorizontal size={14} aria-hidden="true" />
          Edit policy
        </Link>
      }
    >
      <div className="grid gap-3">
        {policy.in_force === "no" && active && <NotInForce agentId={agentId} handle={handle} policy={policy} />}
        <PolicySentence policy={policy} />
        <PolicyFacts policy={policy} />
        <p className="border-line border-t pt-3 text-pretty text-muted text-xs">
          What the chain enforces holds even if someone takes over Halcyon's servers.{" "}
          {guarded ? (
            "Guard is on: only your wallet can change this policy."
          ) : (
            <>
              Guard is off: API keys of your account can change this policy, too.{" "}
              <Link
                href={`/${network}/settings/security#guard`}
                className="font-medium text-ink underline underline-offset-2"
              >
                Turn it on
              </Link>
            </>
          )}
        </p>
      </div>
    </Card>
  );
}
