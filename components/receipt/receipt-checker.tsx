"use client";

import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, TextArea } from "@/components/ui/field";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import type { CheckableNetwork } from "./checkable-network";
import { ProvenReceipt } from "./proven-receipt";
import { PASTED, useLinkCheck } from "./use-link-check";

/** Stands where the outcome will. */
export function Checking() {
  return (
    <div role="status" aria-label="Checking with the chain" className="rounded-2xl border border-line bg-raised p-6">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="mt-5 h-10 w-56" />
      <Skeleton className="mt-8 h-4 w-full" />
      <Skeleton className="mt-3 h-4 w-4/5" />
      <p className="mt-8 text-muted text-sm">Checking with the chain…</p>
    </div>
  );
}

/** Checks the receipt of the page's address, or one that is pasted. Nothing of it goes to this service. */
export function ReceiptChecker({ networks }: { networks: readonly CheckableNetwork[] }) {
  const { state, again, paste } = useLinkCheck(async (text) => (await import("./check")).check(text, networks));

  return (
    <div className="grid gap-8">
      <div aria-live="polite">
        {state === "checking" && <Checking />}
        {typeof state === "object" && state.outcome === "proven" && (
          <ProvenReceipt receipt={state.receipt} checkable={state.checkable} />
        )}
        {typeof state === "object" && state.outcome === "refused" && (
          <Callout tone="danger" title="This receipt proves nothing.">
            {state.reason} Do not rely on it. Ask the sender for the link from their dashboard.
          </Callout>
        )}
        {typeof state === "object" && state.outcome === "unreachable" && (
          <RetryCallout tone="warning" title="It could not be checked." onRetry={again}>
            {state.reason} That says nothing about the receipt.
          </RetryCallout>
        )}
      </div>
      <form onSubmit={paste} className="grid gap-3">
        <Field
          label={state === "none" ? "Receipt" : "Check another receipt"}
          hint="Paste a receipt or its link. It is checked in this browser and not sent to us."
        >
          {(control) => (
            <TextArea
              {...control}
              name={PASTED}
              required
              rows={3}
              spellCheck={false}
              autoComplete="off"
              placeholder="hcr1_…"
              className="font-mono sm:text-xs!"
            />
          )}
        </Field>
        <div>
          <Button type="submit" tone={state === "none" ? "primary" : "secondary"}>
            Check receipt
          </Button>
        </div>
      </form>
    </div>
  );
}
