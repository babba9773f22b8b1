"use client";

import { useEffect, useEffectEvent, useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { ACT_WORDS } from "@/components/money/words";
import { Button, Spinner } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { CodeBlock } from "@/components/ui/code-block";
import { Progress } from "@/components/ui/progress";
import { Lost, useFirst } from "./money-step";
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

const AMOUNT = "1.50";

/** The first payment: a button, and the same as a line for a terminal. It is waited for until it is final. */
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
  // The list may show the one before for a moment: of the accepted one it then says nothing yet.
  const [accepted, setAccepted] = useState<{ id: string | null | undefined }>();
  const done = (output?: { transfer_id: string | null }) => setAccepted({ id: output?.transfer_id });
  const { busy, error, run, again } = useFirst("send", "send", done, to);
  const failed = newest?.status === "failed" && (!accepted || newest.transfer_id === accepted.id);
  const underWay = newest?.status === "pending" || (accepted !== undefined && !failed);
  return (
    <>
      <StepText>
        Pay {AMOUNT} USDG from your available balance to {to}. The chain, the response and the events never show the
        amount.
      </StepText>
      {error && (
        <Callout tone="danger" title={ACT_WORDS.send.refused}>
          {error}
        </Callout>
      )}
      {failed && !busy && (
        <Callout tone="danger">The chain did not take this payment; nothing was paid. Pay again.</Callout>
      )}
      {busy ? (
        <Progress label="Proving in this browser, then paying" />
      ) : again ? (
        <Lost act="send" onAgain={again} />
      ) : underWay ? (
        <p role="status" className="flex items-center gap-2.5 text-muted">
          <Spinner />
          On its way: the payment is being settled on chain
        </p>
      ) : (
        <>
          <div>
            <Button tone="primary" onClick={() => void run({ to, amount: "1.5", asset: "USDG", memo: "hello" })}>
              Pay {AMOUNT} USDG to {to}
            </Button>
          </div>
          <div className="grid gap-3 border-line border-t pt-4">
            <StepText>Or as a program does: paste this into a terminal. It makes the same payment.</StepText>
            <CodeBlock code={curlLine(location.origin, apiKey, to)} title="Terminal" commands />
            {!apiKey && (
              <Callout
                action={
                  <Button size="small" onClick={onNewKey}>
                    Create a key
                  </Button>
                }
              >
                It needs an API key. Keys are shown once: set HALCYON_API_KEY to one you copied, or create one.
              </Callout>
            )}
          </div>
        </>
      )}
    </>
  );
}
