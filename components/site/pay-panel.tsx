"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import { written } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { onDemand } from "@/components/ui/on-demand";
import { Time } from "@/components/ui/time";
import type { OwnPayment } from "@/lib/payments/requests/own-payment";
import type { OpenedRequest } from "@/sdk/payments/requests/open-request";
import type { Visitor } from "../payments/requests/visitor";

/** What the payer sees of their own payment, instead of a button to pay again. */
function Paid({ request, payment }: { request: OpenedRequest; payment: OwnPayment }) {
  const { status, details, asset, network } = request;
  const isPaid = status === "paid" || payment.status === "confirmed";
  const sum = `${written(details.amount)} ${asset}`;
  return (
    <Callout
      tone={isPaid ? "success" : "info"}
      title={isPaid ? `You have paid this request of ${sum}.` : `Your payment of this request of ${sum} is on its way.`}
      action={
        <a href={`/${network}/transfers/${payment.transferId}`} className={buttonClass("secondary", "small")}>
          View transfer and receipt
        </a>
      }
    >
      Sent on <Time value={payment.createdAt} />.{" "}
      {status === "processing" && "The payee's software has not checked it yet. Don't pay again."}
    </Callout>
  );
}

/** Contains wallet, keys and prover. Loaded when someone presses Pay. */
const PayRequest = onDemand(() => import("./pay-request").then((module) => module.default));

/** Why a request can't be paid any more, in words for the payer. */
const CLOSED = {
  paid: {
    title: "This request has been paid.",
    text: "Don't pay it again. If you have not paid it, someone else with the link has.",
  },
  expired: { title: "This request has expired.", text: "It can no longer be paid. Ask the payee for a new link." },
  cancelled: { title: "The payee cancelled this request.", text: "It can't be paid. Ask the payee before you pay." },
} as const;

interface Props {
  request: OpenedRequest;
  visitor: Visitor;
}

/**
 * Pays a verified request, or says why it can't be paid here. The payment dialog stays even if the request changes in
 * the meantime, to report what became of the money.
 */
export function PayPanel({ request, visitor }: Props) {
  const [paying, setPaying] = useState(false);
  const router = useRouter();
  const close = () => {
    setPaying(false);
    router.refresh();
  };
  return (
    <>
      <Ways request={request} visitor={visitor} paying={paying} onPay={() => setPaying(true)} />
      {paying && visitor.at === "in" && <PayRequest request={request} visitor={visitor} onClose={close} />}
    </>
  );
}

function Ways({ request, visitor, paying, onPay }: Props & { paying: boolean; onPay: () => void }) {
  const { status, payment_request_id: id, details, asset, payee, network } = request;
  if (visitor.at === "in" && visitor.payment) return <Paid request={request} payment={visitor.payment} />;
  if (status === "paid" || status === "expired" || status === "cancelled") {
    const { title, text } = CLOSED[status];
    return (
      <Callout tone={status === "paid" ? "success" : "warning"} title={title}>
        {text}
      </Callout>
    );
  }
  if (visitor.at === "in" && visitor.address === payee) {
    return (
      <Callout title="This is your own request." action={<a href={`/${network}/requests/${id}`}>View it</a>}>
        Send the link to the payer.
      </Callout>
    );
  }
  const label = `Pay ${written(details.amount)} ${asset}`;
  const next = encodeURIComponent(`/pay/${id}?network=${network}`);
  return (
    <div className="grid gap-4">
      {status === "processing" && (
        <Callout tone="warning" title="A payment is being checked.">
          Someone has sent a payment for this request, and the payee has not checked it yet. If it was you, don't pay
          again.
        </Callout>
      )}
      {visitor.at === "out" && (
        <div className="grid gap-2">
          <a href={`/sign-in?next=${next}`} className={buttonClass("primary")}>
            Sign in to pay
          </a>
          <p className="text-pretty text-muted text-sm">
            You return to this request afterwards. New here? You create an account first, with your wallet.
          </p>
        </div>
      )}
      {visitor.at === "no-account" && (
        <Callout
          title="Your wallet has no account on this network yet."
          action={<a href={`/${network}/welcome`}>Create it</a>}
        >
          Create one and deposit money, then open the link again.
        </Callout>
      )}
      {visitor.at === "in" && (
        <div className="grid gap-2">
          <Button tone={status === "processing" ? "secondary" : "primary"} onClick={onPay} disabled={paying}>
            {label}
          </Button>
          <p className="text-pretty text-muted text-sm">
            From @{visitor.handle}, confidentially: only you and the payee can see the amount on chain.
          </p>
        </div>
      )}
    </div>
  );
}
