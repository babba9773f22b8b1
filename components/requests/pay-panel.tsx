"use client";

import dynamic from "next/dynamic";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { grouped } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import type { OpenedRequest } from "@/sdk/payment-requests/open-request";
import type { Visitor } from "./visitor";

/** Wallet, keys and prover: loaded when someone presses Pay. */
const PayRequest = dynamic(() => import("./pay-request"), { ssr: false });

/** Why a request takes no payment, in the payer's words. */
const CLOSED = {
  paid: {
    title: "This request has been paid.",
    text: "Don't pay it again. If you have not paid it, someone else with the link has.",
  },
  expired: { title: "This request has expired.", text: "It takes no payment any more. Ask its payee for a new link." },
  cancelled: { title: "Its payee cancelled this request.", text: "It takes no payment. Ask the payee before you pay." },
} as const;

interface Props {
  request: OpenedRequest;
  visitor: Visitor;
}

/**
 * Pays a verified request, or says why it can't be paid here. The payment's dialog stays whatever becomes of the request
 * meanwhile: it says what became of the money.
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
      <Callout title="This is your own request." action={<Link href={`/${network}/requests/${id}`}>View it</Link>}>
        Send the link to who is to pay it.
      </Callout>
    );
  }
  const label = `Pay ${grouped(details.amount)} ${asset}`;
  const next = encodeURIComponent(`/pay/${id}?network=${network}`);
  return (
    <div className="grid gap-4">
      {status === "processing" && (
        <Callout tone="warning" title="A payment is being checked.">
          Someone has sent a payment for this request, and its payee has not checked it yet. If it was you, don't pay
          again.
        </Callout>
      )}
      {visitor.at === "out" && (
        <div className="grid gap-2">
          <Link href={`/sign-in?next=${next}`} className={buttonClass("primary")}>
            Sign in to pay
          </Link>
          <p className="text-pretty text-muted text-sm">
            You come back to this request. New here? You create an account first, with your wallet.
          </p>
        </div>
      )}
      {visitor.at === "no-account" && (
        <Callout
          title="Your wallet has no account on this network yet."
          action={<Link href={`/${network}/welcome`}>Create it</Link>}
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
            From @{visitor.handle}, confidentially: you and the payee alone see the amount on chain.
          </p>
        </div>
      )}
    </div>
  );
}
