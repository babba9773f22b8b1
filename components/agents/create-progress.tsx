"use client";

import { Circle, CircleCheck, CircleMinus, CircleX } from "lucide-react";
import { describeError } from "@/components/api/describe-error";
import { isUnknown, NOT_KNOWN_YET } from "@/components/api/unknown-outcome";
import { Amount } from "@/components/ui/amount";
import { Button, Spinner } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { useVault } from "@/components/vault/vault-provider";
import { OutcomeUnknown } from "@/sdk/attempts/outcome-unknown";
import type { Creation, Standing, StepName } from "./create-steps";

function Mark({ standing }: { standing: Standing }) {
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
  return <CircleX size={18} aria-label="failed" className="text-danger" />;
}

const KEPT = " What is done stays done.";

/** Returns whether the response to a step that moves money was lost. Continuing never does it twice. */
function isLost(standing: Standing): boolean {
  return typeof standing === "object" && standing.error instanceof OutcomeUnknown;
}

/** Shows how far the creation of an agent has come, step by step, and for a failed step why and how to continue. */
export function CreateProgress({
  creation,
  handle,
  onAgain,
  onLeaveOut,
  onBack,
}: {
  creation: Creation;
  handle: string;
  onAgain: () => void;
  onLeaveOut: (name: StepName) => void;
  onBack: () => void;
}) {
  const sealed = useVault().status !== "unlocked";
  const { wanted, steps } = creation;
  const said: Record<StepName, { title: React.ReactNode; says: string }> = {
    register: {
      title: `Register ${handle}`,
      says: "This browser creates and encrypts its wallet and signs its policy. The chain registers both.",
    },
    fund: {
      title: (
        <>
          Fund it with <Amount value={wanted.funding} asset="USDG" sealed={sealed} />
        </>
      ),
      says: "Proven in this browser, from your available balance to the agent's.",
    },
    key: { title: "Create its first key", says: "Created in this browser; the service keeps only its hash." },
  };
  const failed = steps.some(({ standing }) => typeof standing === "object");
  const kept = steps.some(({ standing }) => standing === "done");
  return (
    <Card
      title="Creating the agent"
      description={failed ? "One step failed. Choose how to continue." : "A few seconds. Stay on this page."}
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
                <Callout
                  tone={isUnknown(standing.error) ? "warning" : "danger"}
                  title={isUnknown(standing.error) ? NOT_KNOWN_YET : `This step failed.${kept ? KEPT : ""}`}
                >
                  <p>{describeError(standing.error).message}</p>
                  <div className="mt-3 flex flex-wrap gap-2">
                    <Button size="small" onClick={onAgain}>
                      {isLost(standing) ? "Check again" : "Try again"}
                    </Button>
                    {name === "register" ? (
                      <Button size="small" tone="ghost" onClick={onBack}>
                        Back to the form
                      </Button>
                    ) : (
                      <Button size="small" tone="ghost" onClick={() => onLeaveOut(name)}>
                        {isLost(standing) ? "Continue" : "Continue without it"}
                      </Button>
                    )}
                  </div>
                </Callout>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
