"use client";

import type { CheckableNetwork } from "@/components/receipt/checkable-network";
import { Checking } from "@/components/receipt/receipt-checker";
import { PASTED, useLinkCheck } from "@/components/receipt/use-link-check";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, TextArea } from "@/components/ui/field";
import { RetryCallout } from "@/components/ui/retry-callout";
import { ProvenFunds } from "./proven-funds";

/** Checks the proof of funds of the page's address, or one that is pasted. Nothing of it goes to this service. */
export function FundsChecker({ networks }: { networks: readonly CheckableNetwork[] }) {
  const { state, again, paste } = useLinkCheck(async (text) => (await import("./check")).check(text, networks));
  return (
    <div className="grid gap-8">
      <div aria-live="polite">
        {state === "checking" && <Checking />}
        {typeof state === "object" && state.outcome === "proven" && (
          <ProvenFunds proof={state.proof} network={state.network} />
        )}
        {typeof state === "object" && state.outcome === "refused" && (
          <Callout tone="danger" title="This proof proves nothing.">
            {state.reason} Do not rely on it. Ask the account's owner for a new one.
          </Callout>
        )}
        {typeof state === "object" && state.outcome === "unreachable" && (
          <RetryCallout tone="warning" title="It could not be checked." onRetry={again}>
            {state.reason} That says nothing about the proof.
          </RetryCallout>
        )}
      </div>
      <form onSubmit={paste} className="grid gap-3">
        <Field
          label={state === "none" ? "Proof of funds" : "Check another proof"}
          hint="Paste a proof or its link. It is checked in this browser and not sent to us."
        >
          {(control) => (
            <TextArea
              {...control}
              name={PASTED}
              required
              rows={3}
              spellCheck={false}
              autoComplete="off"
              placeholder="hcf1_…"
              className="font-mono sm:text-xs!"
            />
          )}
        </Field>
        <div>
          <Button type="submit" tone={state === "none" ? "primary" : "secondary"}>
            Check proof
          </Button>
        </div>
      </form>
    </div>
  );
}
