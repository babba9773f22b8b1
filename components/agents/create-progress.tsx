"use client";

import { Circle, CircleCheck, CircleMinus, CircleX } from "lucide-react";
import { messageOf } from "@/components/api/message-of";
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

/** Whether it may have been done: it can be gone on with, and is never done twice. */
function isLost(standing: Standing): boolean {
  return typeof standing === "object" && standing.error instanceof OutcomeUnknown;
}

/** How far the making of an agent is, step by step; of one that failed why, and the ways on. */
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
    key: { title: "Make its first key", says: "Made in this browser; the service keeps its hash." },
  };
  const failed = steps.some(({ standing }) => typeof standing === "object");
  const kept = steps.some(({ standing }) => standing === "done");
  return (
    <Card
      title="Creating the agent"
      description={failed ? "It waits for you: one step did not work." : "A few seconds. Stay on this page."}
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
                  tone={isLost(standing) ? "warning" : "danger"}
                  title={isLost(standing) ? "The response was lost." : `This step failed.${kept ? KEPT : ""}`}
                >
                  <p>{messageOf(standing.error)}</p>
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
                        {isLost(standing) ? "Go on" : "Go on without it"}
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
