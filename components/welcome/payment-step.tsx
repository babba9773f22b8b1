"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { ACT_WORDS } from "@/components/money/act-wording";
import { LostResponse } from "@/components/money/lost-response";
import { usePayments } from "@/components/money/payments-provider";
import { recipientProblem } from "@/components/money/recipient-state";
import { type Status, usePaymentState } from "@/components/money/use-payment-state";
import { Button, Spinner } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { Progress } from "@/components/ui/progress";
import type { Accepted } from "@/components/vault/methods/send";
import { Lost, useFirst } from "./money-step";
import { StepText } from "./step";

interface Sent {
  transfers: { transfer_id: string; to: string; status: Status }[];
}

const AMOUNT = "1.50";

/** The first payment. Waits until it is final. */
export function PaymentStep({
  to: payee,
  onPaid,
}: {
  /** Left out: the person chooses. */
  to?: string;
  onPaid: (to: string) => void;
}) {
  const { data } = useResource<Sent>("/v1/transfers", {
    query: { direction: "sent", limit: 1 },
    refetchInterval: 1_500,
  });
  const [typed, setTyped] = useState("");
  const to = payee ?? typed.trim();
  const canPay = recipientProblem(to) === undefined;
  const newest = data?.transfers[0];
  // The list may show the previous payment for a moment. Until it shows the accepted one, ignore its status.
  const [accepted, setAccepted] = useState<Partial<Accepted>>();
  const { busy, error, run, again } = useFirst("send", "send", (output) => setAccepted(output ?? {}), to);
  const isShown = !accepted || newest?.transfer_id === accepted.transfer_id;
  const says = isShown || newest?.status === "confirmed" ? newest?.status : "pending";
  // After a reload, only the kept payment is known.
  const kept = usePayments().kept.findLast(({ act }) => act === "send")?.pending;
  const pending = accepted?.pending ?? (busy || again ? undefined : kept);
  const standing = usePaymentState(says, pending);
  const failed = standing === "failed";
  // Only the service knows of a payment by an API key.
  const calledFailed = says === "failed" && !pending;
  const underWay = (newest || accepted) && (standing === "pending" || standing === "confirmed");
  const paid = useEffectEvent(() => onPaid(newest?.to ?? to));
  useEffect(() => {
    if (standing === "confirmed") paid();
  }, [standing]);
  return (
    <>
      <StepText>
        Pay {AMOUNT} USDG from your available balance to {payee ?? "someone with an account here"}. No one else sees the
        amount.
      </StepText>
      {error && (
        <Callout tone="danger" title={ACT_WORDS.send.refused}>
          {error}
        </Callout>
      )}
      {failed && !busy && !again && (
        <Callout tone="danger">The chain did not accept this payment; nothing was paid. Pay again.</Callout>
      )}
      {calledFailed && !busy && !again && (
        <Callout tone="danger">
          The service says that this payment failed and nothing was paid. Check your available balance before you pay
          again: that is another payment.
        </Callout>
      )}
      {busy ? (
        <Progress label="Proving in this browser, then paying" />
      ) : again ? (
        <Lost act="send" onAgain={again} />
      ) : standing === "unknown" && pending ? (
        <LostResponse words={ACT_WORDS.send} />
      ) : underWay ? (
        <p role="status" className="flex items-center gap-2.5 text-muted">
          <Spinner />
          On its way: the payment is being settled on chain
        </p>
      ) : (
        <>
          {payee === undefined && (
            <Field label="To" hint="A handle such as @bob, or an address.">
              {(control) => (
                <Input
                  {...control}
                  value={typed}
                  onChange={(event) => setTyped(event.target.value)}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                />
              )}
            </Field>
          )}
          <div>
            <Button
              tone="primary"
              disabled={!canPay}
              onClick={() => void run({ to, amount: "1.5", asset: "USDG", memo: "hello" })}
            >
              Pay {AMOUNT} USDG{canPay && ` to ${to}`}
            </Button>
          </div>
        </>
      )}
    </>
  );
}
