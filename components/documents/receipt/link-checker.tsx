"use client";

import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, TextArea } from "@/components/ui/field";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { PASTED, useLinkCheck } from "./use-link-check";

/** The result of a check that did not prove anything. */
interface NotProven {
  outcome: "refused" | "unreachable";
  reason: string;
}

/** The words for what is checked. */
interface LinkWords {
  /** Its name, such as `receipt`. */
  thing: string;
  /** The title above the empty form. */
  title: string;
  /** What to do with a link that proves nothing. */
  remedy: string;
  placeholder: string;
}

/** A placeholder for the result. */
function Checking() {
  return (
    <div role="status" aria-label="Checking with the chain" className="rounded-2xl border border-line bg-raised p-5">
      <Skeleton className="h-5 w-40" />
      <Skeleton className="mt-4 h-8 w-56" />
      <Skeleton className="mt-4 h-4 w-full" />
      <Skeleton className="mt-2.5 h-4 w-4/5" />
      <p className="mt-4 text-muted text-sm">Checking with the chain…</p>
    </div>
  );
}

/** Checks what the page's address contains, or a pasted text. Sends none of it to this service. */
export function LinkChecker<Proven extends { outcome: "proven" }>({
  words: { thing, title, remedy, placeholder },
  check,
  children,
}: {
  words: LinkWords;
  check: (text: string) => Promise<Proven | NotProven>;
  children: (proven: Proven) => ReactNode;
}) {
  const { state, first, again, paste } = useLinkCheck<Proven | NotProven>(check);
  // The result takes the form's place, so that the rest of the page does not move.
  const isForm = state !== "checking" || !first;
  return (
    <div>
      <div aria-live="polite" className={isForm ? "not-empty:mb-8" : undefined}>
        {state === "checking" && <Checking />}
        {typeof state === "object" && state.outcome === "proven" && children(state as Proven)}
        {typeof state === "object" && state.outcome === "refused" && (
          <Callout tone="danger" title={`This ${thing} proves nothing.`}>
            {state.reason} Do not rely on it. {remedy}
          </Callout>
        )}
        {typeof state === "object" && state.outcome === "unreachable" && (
          <RetryCallout tone="warning" title="It could not be checked." onRetry={() => void again()}>
            {state.reason} That says nothing about the {thing}.
          </RetryCallout>
        )}
      </div>
      <form onSubmit={paste} className={isForm ? "grid gap-3" : "hidden"}>
        <Field
          label={state === "none" ? title : `Check another ${thing}`}
          hint={`Paste a ${thing} or its link. It is checked in this browser and not sent to us.`}
        >
          {(control) => (
            <TextArea
              {...control}
              name={PASTED}
              required
              rows={3}
              spellCheck={false}
              autoComplete="off"
              placeholder={placeholder}
              className="font-mono sm:text-xs!"
            />
          )}
        </Field>
        <div>
          <Button type="submit" tone={state === "none" ? "primary" : "secondary"}>
            Check {thing}
          </Button>
        </div>
      </form>
    </div>
  );
}
