"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { calledFailed, unknownInWords } from "@/components/api/unknown-outcome";
import { useResource } from "@/components/api/use-resource";
import { ACT_WORDS } from "@/components/money/act-wording";
import { isFinal, type PaymentState, type Status, usePaymentState } from "@/components/money/use-payment-state";
import { Amount } from "@/components/ui/amount";
import { Badge, type Tone } from "@/components/ui/badge";
import { NOT_KNOWN_YET } from "@/components/ui/error-title";
import { Link } from "@/components/ui/link";
import type { RowState } from "./decide-each";
import {
  type ApprovalAgent,
  deciderInWords,
  type HeldDetails,
  readHeld,
  type WaitingPayment,
  waitingDetails,
} from "./held-payment";
import type { ApprovalVerb, RowOutput } from "./use-bulk";
import { useChecks } from "./use-checks";
import { useHeld } from "./use-held";

/** How often to poll a payment whose outcome is open, in milliseconds. */
const ASK_MS = 2_000;

/** What a row has found out before the decision. */
export interface RowCheck {
  /** Decimal string; undefined while encrypted or unreadable. */
  amount: string | undefined;
  /** The agent's available balance; undefined while unknown. */
  available: string | undefined;
  /** Whether the payment can be decided now; undefined while that is being checked. */
  able: boolean | undefined;
}

/** The outcome that a row shows. */
interface Said {
  name: string;
  tone: Tone;
  says?: string;
}

/** One of several payments of a group: its amount, what prevents a decision, and the outcome. */
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
  verb: ApprovalVerb;
  agents: readonly ApprovalAgent[];
  /** Whether it is still in the queue. */
  waits: boolean;
  state: RowState<RowOutput>;
  /** Whether its approval was sent and the outcome is not known yet. */
  lost: boolean;
  /** What the chain shows about an approval whose response was lost. */
  found: "made" | "not made" | undefined;
  sessionId: string;
  onCheck: (check: RowCheck) => void;
}) {
  const network = useNetwork();
  const open = lost || state.at === "unknown";
  const settled = state.at === "done" || state.at === "running";
  const { data: held = waitingDetails(entry) } = useResource<HeldDetails>(
    `/v1/agents/transactions/${entry.transaction_id}`,
    {
      read: readHeld(entry.transaction_id),
      enabled: !settled && (!waits || open || state.at === "refused"),
      refetchInterval: open ? ASK_MS : false,
    },
  );
  const opened = useHeld(entry, agents);
  const checks = useChecks(held, opened, agents);
  const amount = opened.error ? null : opened.content?.amount;
  const gone = held.status !== "pending_approval" && !settled;
  const able = gone ? false : verb === "reject" ? true : checks.refusal ? false : checks.approvable || undefined;
  const available = checks.spending?.available;
  const report = useEffectEvent(onCheck);
  useEffect(() => {
    report({ amount: opened.encrypted ? undefined : (amount ?? undefined), available, able });
  }, [opened.encrypted, amount, available, able]);
  const transferId = state.at === "done" ? state.output.transferId : held.transfer_id;
  const [final, setFinal] = useState(false);
  const { data: transfer } = useResource<{ status: Status }>(`/v1/transfers/${transferId}`, {
    enabled: state.at === "done" && transferId !== null,
    refetchInterval: final ? false : ASK_MS,
  });
  const standing = usePaymentState(transfer?.status, state.at === "done" ? state.output.pending : undefined);
  if (!final && isFinal(standing)) setFinal(true);
  const said = saidOf({ verb, state, open, found, held, sessionId, standing });
  const obstacle = state.at === "ready" && !gone && verb === "approve" ? checks.refusal : null;
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 pt-2">
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
      <span className="flex flex-wrap items-baseline justify-end gap-x-3 gap-y-1">
        {said ? <Badge tone={said.tone}>{said.name}</Badge> : obstacle && <Badge tone="danger">Left out</Badge>}
        <Amount value={amount} asset={entry.asset} encrypted={opened.encrypted} className="font-medium" />
      </span>
    </li>
  );
}

/** Returns a row's outcome in words; null if nothing was done with it yet. */
function saidOf(row: {
  verb: ApprovalVerb;
  state: RowState<RowOutput>;
  open: boolean;
  found: "made" | "not made" | undefined;
  held: HeldDetails;
  sessionId: string;
  standing: PaymentState;
}): Said | null {
  const { verb, state, open, found, held, sessionId, standing } = row;
  if (state.at === "running") return { name: verb === "approve" ? "Paying…" : "Rejecting…", tone: "accent" };
  if (state.at === "done") {
    if (verb === "reject") return { name: "Rejected", tone: "neutral", says: "No money moved." };
    if (standing === "confirmed") return { name: "Paid", tone: "success", says: "Final on chain." };
    if (standing === "failed") return { name: "Failed", tone: "danger", says: "It did not settle and no money moved." };
    if (standing === "unknown") return { name: NOT_KNOWN_YET, tone: "warning", says: calledFailed(ACT_WORDS.approve) };
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
        ? unknownInWords(ACT_WORDS.approve)
        : unknownInWords({ whether: "whether this was rejected", warning: "You can safely reject it again." });
    return { name: NOT_KNOWN_YET, tone: "warning", says };
  }
  if (state.at !== "refused") return null;
  const name = verb === "approve" ? "Not approved" : "Not rejected";
  return { name, tone: "danger", says: `${messageOf(state.error)} It still waits.` };
}
