import { describeError } from "@/components/api/describe-error";
import { isUnknown, type UnknownWords, unknownInWords } from "@/components/api/unknown-outcome";
import { KeyNotKnown } from "@/components/keys/key-not-known";
import { Button, buttonClass } from "@/components/ui/button";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Link } from "@/components/ui/link";
import type { AgentStepName } from "./create-steps";

const MOVED: UnknownWords = {
  whether: "whether this was moved",
  warning: "You can safely check again: it is moved only once.",
};

/**
 * Says why a step of an agent's creation failed, and how to continue. What may have been done is done again only where
 * that can't do it twice: the payment. For an agent or a key, the lists show what exists.
 *
 * @param agents the path of the list of agents
 */
export function FailedStep({
  name,
  error,
  label,
  kept,
  agents,
  agent,
  onAgain,
  onLeaveOut,
  onBack,
}: {
  name: AgentStepName;
  error: unknown;
  /** The label of its first key. */
  label: string;
  /** Whether an earlier step is done. */
  kept: boolean;
  agents: string;
  /** The new agent's id, once it is registered. */
  agent: string | undefined;
  onAgain: () => void;
  onLeaveOut: () => void;
  onBack: () => void;
}) {
  const open = isUnknown(error);
  const back = (
    <Button size="small" tone="ghost" onClick={onBack}>
      Back to the form
    </Button>
  );
  const leaveOut = (text: string) => (
    <Button size="small" tone="ghost" onClick={onLeaveOut}>
      {text}
    </Button>
  );
  if (open && name === "key") {
    return (
      <KeyNotKnown label={label}>
        <Link href={`${agents}/${agent}`} className={buttonClass("secondary", "small")}>
          Look at the agent's keys
        </Link>
        {leaveOut("Continue without it")}
      </KeyNotKnown>
    );
  }
  if (open && name === "register") {
    return (
      <ErrorCallout isUnknown>
        <p>
          We don't know yet whether the agent was created: the response is not clear. If it is listed among your agents,
          fund it and create its key on its page.
        </p>
        <div className="mt-3 flex flex-wrap gap-2">
          <Link href={agents} className={buttonClass("secondary", "small")}>
            Look at your agents
          </Link>
          {back}
        </div>
      </ErrorCallout>
    );
  }
  return (
    <ErrorCallout isUnknown={open} failed={`This step failed.${kept ? " What is done stays done." : ""}`}>
      <p>{open ? unknownInWords(MOVED) : describeError(error).message}</p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button size="small" onClick={onAgain}>
          {open ? "Check again" : "Try again"}
        </Button>
        {name === "register" ? back : leaveOut(open ? "Continue" : "Continue without it")}
      </div>
    </ErrorCallout>
  );
}
