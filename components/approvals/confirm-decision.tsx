import type { ReactNode } from "react";
import { ACT_WORDS } from "@/components/money/act-wording";
import { LostResponse } from "@/components/money/lost-response";
import { ProofProgress } from "@/components/money/proof-progress";
import { shortName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { Checkbox } from "@/components/ui/checkbox";
import { ErrorCallout } from "@/components/ui/error-callout";
import { useErrorWords } from "@/components/ui/error-words";
import { FullAddress } from "@/components/ui/full-address";
import { type HeldDetails, isOwnersPayment } from "./held-payment";
import type { HeldContent } from "./use-held";

function Summary({ held, opened, children }: { held: HeldDetails; opened: HeldContent; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-line px-4 py-3.5">
      <p className="font-semibold text-xl">
        <Amount value={opened.error ? null : opened.content?.amount} asset={held.asset} encrypted={opened.encrypted} />
      </p>
      <p className="wrap-anywhere mt-0.5">
        from {isOwnersPayment(held) ? "your available balance" : shortName(held.agent)} to{" "}
        <span className="font-medium">{held.to}</span>
      </p>
      {children}
    </div>
  );
}

/** Shows a payment that was approved here, until the service has responded or the chain shows what became of it. */
export function Approval({ held, opened, lost }: { held: HeldDetails; opened: HeldContent; lost: boolean }) {
  return (
    <div className="grid gap-4 text-sm">
      <Summary held={held} opened={opened}>
        {opened.content?.recipient && <FullAddress value={opened.content.recipient} className="mt-1 text-muted" />}
      </Summary>
      {lost ? <LostResponse words={ACT_WORDS.approve} /> : <ProofProgress>{ACT_WORDS.approve.running}</ProofProgress>}
    </div>
  );
}

/** Says what approving does. */
export function WhatApprovingDoes({ held }: { held: HeldDetails }) {
  return (
    <p className="text-pretty text-muted text-sm">
      {held.confidential ? "Once approved, it is paid at once" : "Once approved, it is paid at once, in public,"} and
      can't be taken back.{" "}
      {isOwnersPayment(held)
        ? "It is prepared in this browser, and your wallet signs it."
        : "It is prepared and signed in this browser; your wallet is not asked."}
    </p>
  );
}

/** Explains what rejecting means. */
export function ConfirmRejection({
  held,
  opened,
  error,
  unasked,
  onUnasked,
}: {
  held: HeldDetails;
  opened: HeldContent;
  error: Error | null;
  /** Whether to reject without this confirmation from now on. */
  unasked: boolean;
  onUnasked: (unasked: boolean) => void;
}) {
  const { message, isUnknown } = useErrorWords()(error);
  return (
    <div className="grid gap-4 text-sm">
      <Summary held={held} opened={opened} />
      <p className="text-pretty text-muted">
        No money moves.{isOwnersPayment(held) ? "" : " The agent is notified and can ask again."}
      </p>
      <Checkbox label="Do not ask again while this page is open" checked={unasked} onChange={onUnasked} />
      {error && (
        <ErrorCallout isUnknown={isUnknown} failed="It was not rejected.">
          {message}
        </ErrorCallout>
      )}
    </div>
  );
}
