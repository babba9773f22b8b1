import type { ReactNode } from "react";
import { messageOf } from "@/components/api/message-of";
import { Working } from "@/components/money/working";
import { Amount } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { shortName } from "./agent-name";
import type { HeldDetails } from "./held-payment";
import type { HeldContent } from "./use-held";

function Summary({ held, opened, children }: { held: HeldDetails; opened: HeldContent; children?: ReactNode }) {
  return (
    <div className="rounded-lg border border-line px-4 py-3.5">
      <p className="font-semibold text-xl">
        <Amount value={opened.error ? null : opened.content?.amount} asset={held.asset} sealed={opened.sealed} />
      </p>
      <p className="wrap-anywhere mt-0.5">
        from {shortName(held.agent)} to <span className="font-medium">{held.to}</span>
      </p>
      {children}
    </div>
  );
}

/** What is about to be paid, to the last digit of the address. */
export function ConfirmApproval({
  held,
  opened,
  busy,
  error,
}: {
  held: HeldDetails;
  opened: HeldContent;
  busy: boolean;
  error: Error | null;
}) {
  return (
    <div className="grid gap-4 text-sm">
      <Summary held={held} opened={opened}>
        <p className="wrap-anywhere mt-1 font-mono text-[13px] text-muted">{opened.content?.recipient}</p>
      </Summary>
      {busy ? (
        <Working>Proving on this machine, then sending. A few seconds.</Working>
      ) : (
        <p className="text-pretty text-muted">
          {held.confidential ? "It is paid at once" : "It is paid at once, in public,"} and cannot be taken back. It is
          prepared and signed in this browser; your wallet is not asked.
        </p>
      )}
      {error && (
        <Callout tone="danger" title="It was not approved. The payment still waits.">
          {messageOf(error)}
        </Callout>
      )}
    </div>
  );
}

/** What rejecting means. */
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
  /** Reject without this question from now on. */
  unasked: boolean;
  onUnasked: (unasked: boolean) => void;
}) {
  return (
    <div className="grid gap-4 text-sm">
      <Summary held={held} opened={opened} />
      <p className="text-pretty text-muted">No money moves. The agent is told, and may ask again.</p>
      <Checkbox label="Do not ask again while this page is open" checked={unasked} onChange={onUnasked} />
      {error && (
        <Callout tone="danger" title="It was not rejected.">
          {messageOf(error)}
        </Callout>
      )}
    </div>
  );
}
