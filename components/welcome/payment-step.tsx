"use client";

import { Check } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { useResource } from "@/components/api/use-resource";
import { Button, Spinner } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { StepText } from "./step";

interface Sent {
  transfers: { transfer_id: string; to: string; status: "pending" | "confirmed" | "failed" }[];
}

/** The line to paste. Without the key, which is shown once only, it reads it from the environment. */
export function curlLine(origin: string, key: string | undefined, to: string): string {
  return `curl ${origin}/v1/transfers \\
  -H "Authorization: Bearer ${key ?? "$HALCYON_API_KEY"}" \\
  -d '{"to": "${to}", "amount": "1.50", "memo": "hello"}'`;
}

/** Waits for the first payment, made where people make them: in a terminal. */
export function PaymentStep({
  apiKey,
  to,
  onPaid,
  onNewKey,
}: {
  /** Known only while the page that made it is open. */
  apiKey?: string;
  to: string;
  onPaid: () => void;
  onNewKey: () => void;
}) {
  const { data } = useResource<Sent>("/api/transfers", {
    query: { direction: "sent", limit: 1 },
    refetchInterval: 1_500,
  });
  const newest = data?.transfers[0];
  const paid = useEffectEvent(onPaid);
  useEffect(() => {
    if (newest?.status === "confirmed") paid();
  }, [newest?.status]);
  return (
    <>
      <StepText>
        Paste this into a terminal. It pays 1.50 USDG from your available balance to {to}; the chain, the response and
        the events never show the amount.
      </StepText>
      <CodeBlock code={curlLine(location.origin, apiKey, to)} title="Terminal" commands />
      {!apiKey && (
        <Callout
          action={
            <Button size="small" onClick={onNewKey}>
              Create another key
            </Button>
          }
        >
          Keys are shown once. Set HALCYON_API_KEY to the one you copied, or create another.
        </Callout>
      )}
      <p role="status" className="flex items-center gap-2.5 text-muted">
        {newest?.status === "confirmed" ? <Check size={14} aria-hidden="true" className="text-success" /> : <Spinner />}
        {newest ? "On its way: the payment is being settled on chain" : "Waiting for your payment"}
      </p>
      {newest?.status === "failed" && (
        <Callout tone="danger">The chain did not take this payment; nothing was paid. Run the line again.</Callout>
      )}
    </>
  );
}
