"use client";

import { FlaskConical, LockKeyhole } from "lucide-react";
import { messageOf } from "@/components/api/message-of";
import { Amount } from "@/components/ui/amount";
import { Badge, type Tone } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { Time } from "@/components/ui/time";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { PolicyDecision, RuleName } from "@/lib/policy/decide";
import { recipientInWords } from "@/lib/policy/number-words";
import { WORDS } from "@/lib/policy/rules";
import type { SpendPolicy } from "@/lib/policy/spend-policy";
import { type TriedPayment, tryPolicy } from "./trial";

/** How many payments to list. All are counted. */
const LISTED = 8;

const SAID: Record<PolicyDecision["outcome"], { name: string; tone: Tone }> = {
  allowed: { name: "Allowed", tone: "success" },
  held: { name: "Needs approval", tone: "warning" },
  denied: { name: "Denied", tone: "danger" },
};

function Entry({ tried: { payment, decision } }: { tried: TriedPayment }) {
  const { name, tone } = SAID[decision.outcome];
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 py-2.5 text-sm">
      <span className="min-w-0 truncate">{recipientInWords(payment.to)}</span>
      <Amount value={payment.amount} asset={payment.asset} />
      <span className="truncate text-muted text-xs">
        <Time value={payment.created_at} />
        {decision.outcome === "denied" && ` · ${REASONS[decision.reason]}`}
      </span>
      <span className="justify-self-end">
        <Badge tone={tone}>{name}</Badge>
      </span>
    </li>
  );
}

/** Shows what a draft would have decided about the agent's past payments. Runs in this browser; nothing is sent. */
export function TryPolicy({ agent, policy }: { agent: string; policy: SpendPolicy | null }) {
  const vault = useVault();
  const { data: payments, error, refetch, isFetching } = useDecrypted("pastPayments", { agent });
  if (!vault.reads) {
    return (
      <Shell>
        <div className="flex items-center gap-3 rounded-lg bg-sunken px-3.5 py-3 text-sm">
          <LockKeyhole size={16} aria-hidden="true" className="shrink-0 text-muted" />
          <p className="min-w-0 flex-1 text-pretty text-muted">Past amounts are encrypted.</p>
          <Button data-early size="small" busy={vault.status === "unlocking"} onClick={() => void vault.unlock()}>
            Unlock to try
          </Button>
        </div>
      </Shell>
    );
  }
  if (error) {
    return (
      <Shell>
        <RetryCallout title="Past payments could not be decrypted." busy={isFetching} onRetry={refetch}>
          {messageOf(error)}
        </RetryCallout>
      </Shell>
    );
  }
  if (!payments) {
    return (
      <Shell>
        <Skeleton className="h-14 w-full" />
        <Skeleton className="h-24 w-full" />
      </Shell>
    );
  }
  if (payments.length === 0) {
    return (
      <Shell>
        <p className="text-muted text-sm">
          This agent has not paid anyone yet, so there is nothing to try the draft on.
        </p>
      </Shell>
    );
  }
  if (!policy) {
    return (
      <Shell>
        <p className="text-muted text-sm">Correct the marked fields to try the draft.</p>
      </Shell>
    );
  }
  const { tried, allowed, held, denied, unreadable } = tryPolicy(policy, payments);
  return (
    <Shell>
      <p role="status" className="text-pretty text-sm">
        Of the last {tried.length} {tried.length === 1 ? "payment" : "payments"}{" "}
        <span className="font-medium">{allowed} would be allowed</span>, {held} needing approval and {denied} denied.
      </p>
      <ul aria-label="Past payments under the draft" className="divide-y divide-line border-line border-t">
        {tried.slice(0, LISTED).map((each) => (
          <Entry key={each.payment.transfer_id} tried={each} />
        ))}
      </ul>
      {tried.length > LISTED && (
        <p className="text-muted text-xs">The {LISTED} newest are listed; all of them are counted.</p>
      )}
      {unreadable > 0 && (
        <p className="text-muted text-xs">
          {unreadable === 1 ? "1 payment" : `${unreadable} payments`} can't be decrypted and{" "}
          {unreadable === 1 ? "is" : "are"} left out.
        </p>
      )}
    </Shell>
  );
}

function Shell({ children }: { children: React.ReactNode }) {
  return (
    <section aria-label="Try on past payments" className="grid gap-3">
      <div>
        <h2 className="flex items-center gap-2 font-medium text-sm">
          <FlaskConical size={15} aria-hidden="true" className="text-muted" />
          Try on past payments
        </h2>
        <p className="mt-1 text-pretty text-muted text-xs">
          Decrypted and evaluated in this browser as you edit. Nothing is sent.
        </p>
      </div>
      {children}
    </section>
  );
}

/** Why each rule refuses a payment, from the owner's point of view. */
const REASONS: Record<RuleName, string> = Object.assign(
  { agent_paused: "Agent is paused" },
  ...Object.values(WORDS).map(({ reasons }) => reasons),
);
