"use client";

import { useEffect, useRef } from "react";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { holdSignIn } from "@/components/api/sign-in-again";
import { useResource } from "@/components/api/use-resource";
import { useSessionOver } from "@/components/api/use-session-over";
import { NotMade, SignedOut } from "@/components/money/act-state";
import { ACT_WORDS } from "@/components/money/act-wording";
import { Failure } from "@/components/money/failure";
import { SignInFooter } from "@/components/money/sign-in-footer";
import { TransferOutcome } from "@/components/money/transfer-outcome";
import { shortName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { Skeleton } from "@/components/ui/skeleton";
import { Approval, ConfirmRejection, WhatApprovingDoes } from "./confirm-decision";
import { DecidedView, MadeCallout } from "./decided-view";
import { type ApprovalAgent, type HeldDetails, isOwnersPayment, readHeld } from "./held-payment";
import type { ApprovalRefusal } from "./refusal-of";
import { ReviewFacts } from "./review-facts";
import { useChecks } from "./use-checks";
import type { DecisionState } from "./use-decision";
import { useHeld } from "./use-held";

/** Its words are those of every rule of a policy. */
const WhyHeld = onDemand(async () => (await import("./why-held")).WhyHeld);

/** The dialog's step: the review, the same with the focus on its button to approve, or the rejection. */
export type ApprovalStep = "review" | "approve" | "reject";

interface ReviewProps {
  id: string;
  open: boolean;
  agents: readonly ApprovalAgent[];
  now: number;
  sessionId: string;
  step: ApprovalStep;
  onStep: (step: ApprovalStep) => void;
  decision: DecisionState;
  onApprove: () => void;
  /** Whether to reject without a confirmation from now on. */
  unasked: boolean;
  onUnasked: (unasked: boolean) => void;
  /** Goes to the next waiting payment; undefined if there is none. */
  onNext?: () => void;
  onClose: () => void;
}

/** One held payment: the request, the reason, and the decision. */
export function ReviewDialog({ initial, ...props }: ReviewProps & { initial: HeldDetails | undefined }) {
  const { data, error } = useResource<HeldDetails>(`/v1/agents/transactions/${props.id}`, {
    initial,
    read: readHeld(props.id),
  });
  if (data) return <Review held={data} {...props} />;
  return (
    <Dialog open={props.open} onClose={props.onClose} title="Payment">
      {error ? <Callout tone="danger">{messageOf(error)}</Callout> : <Skeleton className="h-80 w-full" />}
    </Dialog>
  );
}

function Review({
  held,
  open,
  agents,
  now,
  sessionId,
  step,
  onStep,
  decision,
  ...rest
}: ReviewProps & { held: HeldDetails }) {
  const { id, onApprove, unasked, onUnasked, onNext, onClose } = rest;
  const opened = useHeld(held, agents);
  const checks = useChecks(held, opened, agents);
  const content = useRef<HTMLDivElement>(null);
  const back = useRef<HTMLButtonElement>(null);
  const approve = useRef<HTMLButtonElement>(null);
  // Don't show the decision of another payment here.
  const approving = decision.approving.of === id ? decision.approving : undefined;
  const rejecting = decision.rejecting.of === id ? decision.rejecting : undefined;
  const busy = Boolean(approving?.busy || rejecting?.busy);
  const accepted = approving?.output;
  const lost = !busy && decision.isLost(id);
  const found = decision.found(id);
  const { status } = held;
  const waiting = status === "pending_approval";
  const undecided = waiting && found !== "made";
  const over = useSessionOver() && undecided && !busy && !lost && !accepted;
  const ended = approving?.error ?? (over ? new SignedOut() : null);
  const refused = busy || lost ? null : found === "not made" ? new NotMade() : ended;
  useEffect(() => {
    if (open) return holdSignIn();
  }, [open]);
  const rejects = step === "reject" && (busy || undecided);
  const view = accepted ? "paid" : approving?.busy || (lost && undecided) ? "approve" : rejects ? "reject" : "review";
  const first = view === "approve" || view === "reject" ? back : content;
  const wanted = view === "review" && step === "approve" && checks.approvable && !opened.encrypted;
  useEffect(() => {
    if (open && id) (wanted ? approve : first).current?.focus();
  }, [open, id, first, wanted]);

  const footer = {
    paid: (
      <>
        <Button tone={onNext ? "secondary" : "primary"} onClick={onClose}>
          Done
        </Button>
        {onNext && (
          <Button tone="primary" onClick={onNext}>
            Next payment
          </Button>
        )}
      </>
    ),
    approve: lost ? (
      <>
        <Button ref={back} onClick={onClose}>
          Close
        </Button>
        <Button tone="primary" onClick={() => decision.checkAgain(held)}>
          Check again
        </Button>
      </>
    ) : (
      <Button tone="primary" busy>
        Approve payment
      </Button>
    ),
    reject: (
      <>
        <Button ref={back} onClick={() => onStep("review")} disabled={busy}>
          Back
        </Button>
        <Button tone="danger" busy={busy} onClick={() => decision.rejecting.run(held, { onSuccess: onClose })}>
          Reject payment
        </Button>
      </>
    ),
    review: undecided ? (
      <>
        <Button onClick={() => onStep("reject")}>Reject</Button>
        {opened.encrypted ? (
          <Button tone="primary" onClick={onApprove}>
            Unlock to approve
          </Button>
        ) : (
          <Button
            ref={approve}
            tone="primary"
            disabled={!checks.approvable}
            onClick={() => decision.approving.run(held)}
          >
            Approve payment
          </Button>
        )}
      </>
    ) : (
      <>
        <Button onClick={onClose}>Close</Button>
        {onNext && (
          <Button tone="primary" onClick={onNext}>
            Next payment
          </Button>
        )}
      </>
    ),
  }[view];
  const title = {
    paid: "Approved",
    approve: lost ? "Waiting for confirmation" : "Approving the payment",
    reject: "Reject this payment?",
    review: `${isOwnersPayment(held) ? "Your key" : shortName(held.agent)} ${waiting ? "asks" : "asked"} to pay ${held.to}`,
  }[view];
  const amount = opened.error ? null : opened.content?.amount;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissible={!busy}
      initialFocus={wanted ? approve : first}
      title={<span className="wrap-anywhere">{title}</span>}
      footer={over ? <SignInFooter onClose={onClose} /> : footer}
    >
      <div ref={content} tabIndex={-1} data-review={id} className="outline-none">
        {view === "paid" && accepted && (
          <TransferOutcome id={accepted.transfer_id} pending={accepted.pending}>
            <span className="wrap-anywhere">
              <Amount value={amount} asset={held.asset} encrypted={opened.encrypted} className="font-semibold" /> to{" "}
              <span className="font-medium">{held.to}</span>
            </span>
          </TransferOutcome>
        )}
        {view === "approve" && <Approval held={held} opened={opened} lost={lost && !busy} />}
        {view === "reject" && (
          <ConfirmRejection
            held={held}
            opened={opened}
            error={rejecting?.error ?? (over ? new SignedOut() : null)}
            unasked={unasked}
            onUnasked={onUnasked}
          />
        )}
        {view === "review" && (
          <div className="grid gap-4">
            <p className="font-semibold text-3xl tracking-tight">
              <Amount value={amount} asset={held.asset} encrypted={opened.encrypted} />
            </p>
            {status === "pending_approval" ? (
              found === "made" && <MadeCallout decided="approved" />
            ) : (
              <DecidedView
                held={{ ...held, status }}
                sessionId={sessionId}
                tried={approving?.error || found ? "approved" : rejecting?.error ? "rejected" : undefined}
              />
            )}
            {undecided && refused && (
              <Failure error={refused} asset={held.asset} agent={held.agent} title={ACT_WORDS.approve.refused} />
            )}
            {checks.refusal && <RefusalCallout refusal={checks.refusal} agent={checks.agent} />}
            <ReviewFacts held={held} opened={opened} checks={checks} now={now} />
            {waiting && <WhyHeld held={held} opened={opened} checks={checks} />}
            {undecided && <WhatApprovingDoes held={held} />}
          </div>
        )}
      </div>
    </Dialog>
  );
}

/** What prevents an approval, and the remedy. */
function RefusalCallout({ refusal, agent }: { refusal: ApprovalRefusal; agent: ApprovalAgent | undefined }) {
  const network = useNetwork();
  return (
    <Callout tone={refusal.agent ? "warning" : "danger"} title={refusal.title}>
      {refusal.remedy}
      {refusal.agent && agent && (
        <>
          {" "}
          <Link
            href={`/${network}/agents/${agent.account_id}`}
            className="font-medium text-ink underline underline-offset-2"
          >
            Open the agent
          </Link>
        </>
      )}
    </Callout>
  );
}
