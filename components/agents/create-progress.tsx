"use client";

import { Circle, CircleCheck, CircleMinus, CircleQuestionMark, CircleX } from "lucide-react";
import { useNetwork } from "@/components/api/network-context";
import { isUnknown } from "@/components/api/unknown-outcome";
import { Amount } from "@/components/ui/amount";
import { Spinner } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useVault } from "@/components/vault/vault-provider";
import type { AgentCreation, AgentStepName, AgentStepState } from "./create-steps";
import { FailedStep } from "./failed-step";

/** Shows how far a step has come. */
export function Mark({ standing }: { standing: AgentStepState }) {
  if (standing === "done") return <CircleCheck size={18} aria-label="done" className="text-success" />;
  if (standing === "waiting") return <Circle size={18} aria-label="waiting" className="text-faint" />;
  if (standing === "left out") return <CircleMinus size={18} aria-label="left out" className="text-faint" />;
  if (standing === "under way") {
    return (
      <span className="grid size-4.5 place-items-center text-accent">
        <Spinner />
        <span className="sr-only">under way</span>
      </span>
    );
  }
  if (isUnknown(standing.error)) {
    return <CircleQuestionMark size={18} aria-label="not known yet" className="text-warning" />;
  }
  return <CircleX size={18} aria-label="failed" className="text-danger" />;
}

/** Shows how far the creation of an agent has come, step by step, and for a failed step why and how to continue. */
export function CreateProgress({
  creation,
  handle,
  onAgain,
  onLeaveOut,
  onBack,
}: {
  creation: AgentCreation;
  handle: string;
  onAgain: () => void;
  onLeaveOut: (name: AgentStepName) => void;
  onBack: () => void;
}) {
  const encrypted = useVault().status !== "unlocked";
  const network = useNetwork();
  const { wanted, steps } = creation;
  const said: Record<AgentStepName, { title: React.ReactNode; says: string }> = {
    register: {
      title: `Register ${handle}`,
      says: "This browser creates and encrypts its wallet and signs its policy. The chain registers both.",
    },
    fund: {
      title: (
        <>
          Fund it with <Amount value={wanted.funding} asset="USDG" encrypted={encrypted} />
        </>
      ),
      says: "Proven in this browser, from your available balance to the agent's.",
    },
    key: { title: "Create its first key", says: "Created in this browser; the service keeps only its hash." },
  };
  const stopped = steps.some(({ standing }) => typeof standing === "object");
  const kept = steps.some(({ standing }) => standing === "done");
  return (
    <Card
      title="Creating the agent"
      description={stopped ? "Choose how to continue." : "A few seconds. Stay on this page."}
    >
      <ol className="grid gap-5" aria-live="polite">
        {steps.map(({ name, standing }) => (
          <li key={name} className="flex gap-3">
            <span className="mt-px shrink-0">
              <Mark standing={standing} />
            </span>
            <div className="grid min-w-0 flex-1 gap-2 text-sm">
              <div>
                <p className="wrap-anywhere font-medium">{said[name].title}</p>
                <p className="text-pretty text-muted">{said[name].says}</p>
              </div>
              {typeof standing === "object" && (
                <FailedStep
                  name={name}
                  error={standing.error}
                  label={wanted.key ?? ""}
                  kept={kept}
                  agents={`/${network}/agents`}
                  agent={creation.agent?.account_id}
                  onAgain={onAgain}
                  onLeaveOut={() => onLeaveOut(name)}
                  onBack={onBack}
                />
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
