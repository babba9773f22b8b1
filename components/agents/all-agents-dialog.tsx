"use client";

import { useQueryClient } from "@tanstack/react-query";
import { CircleCheck, CircleX } from "lucide-react";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Button, Spinner } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { useErrorWords } from "@/components/ui/error-words";
import { useVault } from "@/components/vault/vault-provider";
import { agentToSign } from "@/components/wallet/agent-to-sign";
import { signingFor } from "@/components/wallet/signing-for";
import type { AgentSummary } from "./agent-summary";

export type AgentVerb = "pause" | "resume";
type Result = "under way" | "done" | { error: unknown };

const WORDS = {
  pause: {
    title: "Pause all agents?",
    says: "Every payment of theirs is refused from the next request on, whatever their policies allow. Nothing is lost: their money and keys stay, and you can resume them at any time.",
    button: "Pause all",
    done: "Paused",
    failed: "Not paused",
  },
  resume: {
    title: "Resume all agents?",
    says: "They pay within their policies again, from the next request on. Your wallet signs for each of them.",
    button: "Resume all",
    done: "Resumed",
    failed: "Not resumed",
  },
} as const;

function Standing({ result, verb }: { result: Result | undefined; verb: AgentVerb }) {
  const wordsOf = useErrorWords();
  if (result === undefined) return null;
  if (result === "under way") return <Spinner />;
  if (result === "done") {
    return (
      <span className="inline-flex items-center gap-1.5 text-success">
        <CircleCheck size={15} aria-hidden="true" />
        {WORDS[verb].done}
      </span>
    );
  }
  const { message, isUnknown } = wordsOf(result.error);
  return (
    <span className={`inline-flex items-center gap-1.5 ${isUnknown ? "text-warning" : "text-danger"}`}>
      <CircleX size={15} aria-hidden="true" className="shrink-0" />
      {isUnknown ? message : `${WORDS[verb].failed}: ${message}`}
    </span>
  );
}

/** Pauses or resumes all agents with one confirmation, and shows the outcome for each. */
export function AllAgentsDialog({
  verb,
  agents,
  onClose,
}: {
  verb: AgentVerb;
  /** The agents to pause or resume, as of when the dialog opens. */
  agents: readonly Pick<AgentSummary, "account_id" | "handle">[];
  onClose: () => void;
}) {
  const network = useNetwork();
  const router = useRouter();
  const queries = useQueryClient();
  const vault = useVault();
  const first = useRef<HTMLButtonElement>(null);
  // Keeps the first list: the page re-renders while this runs, and its new list no longer contains the agents done so
  // far.
  const [concerned] = useState(agents);
  const [results, setResults] = useState<ReadonlyMap<string, Result>>(new Map());
  const words = WORDS[verb];
  const busy = [...results.values()].includes("under way");
  const missing = concerned.filter(({ account_id }) => results.get(account_id) !== "done");

  const set = ({ account_id, handle }: (typeof concerned)[number]) =>
    verb === "pause"
      ? api(network).post(`/v1/agents/${account_id}/pause`)
      : signingFor(agentToSign("resume", handle), () => vault.run("resumeAgent", { agent: handle }));
  const run = async () => {
    if (verb === "resume" && !(await vault.unlock())) return;
    const note = (id: string, result: Result) => setResults((now) => new Map(now).set(id, result));
    const one = async (agent: (typeof concerned)[number]) => {
      const { account_id } = agent;
      note(account_id, "under way");
      try {
        await set(agent);
        note(account_id, "done");
      } catch (error) {
        note(account_id, { error });
      }
    };
    // The wallet asks for one agent at a time, so that the dialog can name it.
    if (verb === "resume") for (const agent of missing) await one(agent);
    else await Promise.all(missing.map(one));
    void queries.invalidateQueries({ predicate: resourceKeys.below(network, "/v1/accounts/me/agents", "/v1/agents") });
    router.refresh();
  };
  const begun = results.size > 0;
  return (
    <Dialog
      open
      onClose={onClose}
      dismissible={!busy}
      initialFocus={first}
      title={words.title}
      description={words.says}
      footer={
        <>
          <Button ref={first} onClick={onClose} disabled={busy}>
            {begun ? "Close" : "Cancel"}
          </Button>
          {missing.length > 0 && (
            <Button tone={verb === "pause" ? "danger" : "primary"} busy={busy} onClick={run}>
              {begun && !busy ? "Try again" : words.button}
            </Button>
          )}
        </>
      }
    >
      <ul aria-live="polite" className="divide-y divide-line rounded-lg border border-line text-sm">
        {concerned.map(({ account_id, handle }) => (
          <li
            key={account_id}
            className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-1 px-3.5 py-2"
          >
            <span className="min-w-0 truncate">{handle}</span>
            <Standing result={results.get(account_id)} verb={verb} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
