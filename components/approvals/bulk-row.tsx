"use client";

import { ArrowRight } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { useResource } from "@/components/api/use-resource";
import { Amount } from "@/components/ui/amount";
import { Badge, type Tone } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { AgentName } from "./agent-name";
import type { RowState } from "./decide-each";
import {
  type ApprovalAgent,
  deciderInWords,
  type HeldDetails,
  type WaitingPayment,
  waitingDetails,
} from "./held-payment";
import type { RowOutput, Verb } from "./use-bulk";
import { useChecks } from "./use-checks";
import { useHeld } from "./use-held";

/** How often it is asked what became of one that is open. */
const ASK_MS = 2_000;

/** What a row has found out before it is decided. */
export interface RowCheck {
  /** Decimal string; undefined while it is encrypted or unreadable. */
  amount: string | undefined;
  /** What the agent pays from; undefined while that is not known. */
  budget: string | undefined;
  /** Whether it can be decided now; undefined while it is being looked up. */
  able: boolean | undefined;
}

/** What a row says at its end. */
interface Said {
  name: string;
  tone: Tone;
  says?: string;
}

/** One payment of several: what is asked, what stands in its way, and what became of it. */
export function BulkRow({
  entry,
  verb,
  agents,
  waits,
  state,
  lost,
  found,
  sessionId,
  onCheck,
}: {
  entry: WaitingPayment;
  verb: Verb;
  agents: readonly ApprovalAgent[];
  /** It is still in the queue. */
  waits: boolean;
  state: RowState<RowOutput>;
  /** Its approval has left, and its outcome is not known yet. */
  lost: boolean;
  /** What the chain has shown of one that was lost. */
  found: "made" | "not made" | undefined;
  sessionId: string;
  onCheck: (check: RowCheck) => void;
}) {
  const network = useNetwork();
  const open = lost || state.at === "unknown";
  const settled = state.at === "done" || state.at === "running";
  const { data: held = waitingDetails(entry) } = useResource<HeldDetails>(
    `/api/agents/transactions/${entry.transaction_id}`,
    { enabled: !settled && (!waits || open || state.at === "refused"), refetchInterval: open ? ASK_MS : false },
  );
  const opened = useHeld(entry, agents);
  const checks = useChecks(held, opened, agents);
  const amount = opened.error ? null : opened.content?.amount;
  const gone = held.status !== "pending_approval" && !settled;
  const able = gone ? false : verb === "reject" ? true : checks.refusal ? false : checks.approvable || undefined;
  const budget = checks.spending?.budget;
  const report = useEffectEvent(onCheck);
  useEffect(() => {
    report({ amount: opened.sealed ? undefined : (amount ?? undefined), budget, able });
  }, [opened.sealed, amount, budget, able]);
  const transferId = state.at === "done" ? state.output.transferId : held.transfer_id;
  const [final, setFinal] = useState(false);
  const { data: transfer } = useResource<{ status: "pending" | "confirmed" | "failed" }>(
    `/api/transfers/${transferId}`,
    { enabled: state.at === "done" && transferId !== null, refetchInterval: final ? false : ASK_MS },
  );
  if (!final && transfer && transfer.status !== "pending") setFinal(true);
  const said = saidOf({ verb, state, open, found, held, sessionId, transfer: transfer?.status });
  const obstacle = state.at === "ready" && !gone && verb === "approve" ? checks.refusal : null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-1 py-3">
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 font-medium">
        <AgentName handle={entry.agent} />
        <ArrowRight size={14} aria-hidden="true" className="text-faint" />
        <span className="sr-only">asks to pay</span>
        <span className="wrap-anywhere">{entry.to}</span>
      </span>
      <Amount value={amount} asset={entry.asset} sealed={opened.sealed} className="justify-self-end font-medium" />
      <span className="min-w-0 text-pretty text-muted text-xs">
        {said?.says ?? (obstacle ? `${obstacle.title} Left out.` : (opened.content?.memo ?? ""))}
        {transferId && said && said.tone !== "danger" && (
          <>
            {" "}
            <Link
              href={`/${network}/transfers/${transferId}`}
              className="whitespace-nowrap font-medium text-ink underline underline-offset-2"
            >
              View transfer
            </Link>
          </>
        )}
      </span>
      <span className="justify-self-end">
        {said ? <Badge tone={said.tone}>{said.name}</Badge> : obstacle && <Badge tone="danger">Left out</Badge>}
      </span>
    </li>
  );
}

/** What is known of a row; null while nothing was done with it. */
function saidOf(row: {
  verb: Verb;
  state: RowState<RowOutput>;
  open: boolean;
  found: "made" | "not made" | undefined;
  held: HeldDetails;
  sessionId: string;
  transfer: "pending" | "confirmed" | "failed" | undefined;
}): Said | null {
  const { verb, state, open, found, held, sessionId, transfer } = row;
  if (state.at === "running") return { name: verb === "approve" ? "Paying…" : "Rejecting…", tone: "accent" };
  if (state.at === "done") {
    if (verb === "reject") return { name: "Rejected", tone: "neutral", says: "No money moved." };
    if (transfer === "confirmed") return { name: "Paid", tone: "success", says: "Final on chain." };
    if (transfer === "failed") return { name: "Failed", tone: "danger", says: "It did not settle and no money moved." };
    return { name: "Approved", tone: "success", says: "Accepted; the chain settles it in a moment." };
  }
  if (found === "made") {
    return { name: "Paid", tone: "success", says: "The response was lost, but the payment was made." };
  }
  if (held.status !== "pending_approval") {
    const who = deciderInWords(held, sessionId) ?? "";
    const name = { approved: "Approved", rejected: "Rejected", expired: "Expired" }[held.status];
    return { name, tone: "neutral", says: `${who.charAt(0).toUpperCase()}${who.slice(1)}.` };
  }
  if (found === "not made") {
    return { name: "Not approved", tone: "danger", says: "The ledger shows that it was not paid. It still waits." };
  }
  if (open) {
    const says =
      verb === "approve"
        ? "We don't know yet whether this was paid. Do not approve or pay it again; Halcyon keeps checking."
        : "We don't know yet whether this was rejected. Halcyon keeps checking.";
    return { name: "Not known yet", tone: "warning", says };
  }
  if (state.at !== "refused") return null;
  const name = verb === "approve" ? "Not approved" : "Not rejected";
  return { name, tone: "danger", says: `${messageOf(state.error)} It still waits.` };
}
