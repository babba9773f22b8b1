"use client";

import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef } from "react";
import { useNetwork } from "@/components/api/network-context";
import { holdSignIn } from "@/components/api/sign-in-again";
import { useSessionOver } from "@/components/api/use-session-over";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { SignedOut } from "./act-state";
import type { ActWords } from "./act-wording";
import { Failure } from "./failure";
import { Earlier, LostResponse } from "./lost-response";
import { ProofProgress } from "./proof-progress";
import { SignInFooter } from "./sign-in-footer";
import type { MoneyMutation } from "./use-money-mutation";

/** The review between a form and the act: the same facts once more, with the button that runs the act. */
interface ReviewStep {
  title: string;
  content: ReactNode;
  /** The button's label, such as "Pay 12.34 USDG". */
  submit: string;
  onSubmit: () => void;
}

/**
 * The dialog of an act that moves money: its form, its review and its outcome, with a mark on the live network. The
 * button that runs the act exists only while nothing is running and no outcome is open. The person can cancel until a
 * signed document leaves the browser. After that, the dialog stays until the outcome is known, or known to be unknown.
 */
export function ActDialog<I, O>({
  title,
  description,
  initialFocus,
  onClose,
  onSubmit,
  submit,
  act,
  working,
  words,
  asset,
  agent,
  review,
  blocked = false,
  children,
}: {
  title: string;
  description: string;
  initialFocus?: RefObject<HTMLElement | null>;
  onClose: () => void;
  onSubmit: () => void;
  /** The label of the form's submit button, or a replacement for that button. */
  submit: string | ReactNode;
  act: MoneyMutation<I, O>;
  /** What runs before the payment; undefined if nothing does. */
  working?: string;
  words: ActWords;
  asset: string;
  /** The agent's handle, if the money is an agent's. */
  agent?: string;
  /** Undefined if the form is its own review, because the wallet asks for a signature as well. */
  review?: ReviewStep;
  /** Whether an earlier act to the same place is open. Then no similar act may start until its outcome is known. */
  blocked?: boolean;
  children: ReactNode;
}) {
  const form = useId();
  const network = useNetwork();
  const content = useRef<HTMLDivElement>(null);
  const { state } = act;
  useEffect(() => holdSignIn(), []);
  const reviewed = state.at === "review" || ((state.at === "running" || state.at === "unknown") && state.reviewed);
  const running = state.at === "running";
  // The session ended before anything was started, whether this page or a button press noticed it.
  const over = useSessionOver() && (state.at === "form" || state.at === "review");
  const view = state.at === "unknown" ? "unknown" : reviewed ? "review" : "form";
  const shown = useRef(view);
  useEffect(() => {
    // The pressed button is gone. Focus the content, where Enter does nothing, so that a held key can't trigger the
    // next button and pay.
    if (shown.current !== view && view !== "form") content.current?.focus();
    shown.current = view;
  }, [view]);

  const cancel = (
    <Button onClick={act.cancel} disabled={!running || state.left || state.cancelling}>
      Cancel
    </Button>
  );
  const footer = {
    form: (
      <>
        {running ? cancel : <Button onClick={onClose}>Cancel</Button>}
        {typeof submit === "string" ? (
          <Button
            tone="primary"
            type="submit"
            form={form}
            busy={running || working !== undefined}
            disabled={blocked && !review}
          >
            {submit}
          </Button>
        ) : (
          submit
        )}
      </>
    ),
    review: (
      <>
        {running ? cancel : <Button onClick={act.back}>Back</Button>}
        <Button tone="primary" busy={running} disabled={blocked} onClick={review?.onSubmit}>
          {review?.submit}
        </Button>
      </>
    ),
    unknown: (
      <>
        <Button onClick={onClose}>Close</Button>
        <Button tone="primary" busy={state.at === "unknown" && state.looking} onClick={act.checkAgain}>
          Check again
        </Button>
      </>
    ),
  }[view];
  const refused = state.at === "form" || state.at === "review" ? state.refused : undefined;
  const failed = refused ?? (over ? new SignedOut() : undefined);
  const name = view === "unknown" ? "Waiting for confirmation" : reviewed && review ? review.title : title;
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        network === "live" ? (
          <span className="flex items-center gap-2">
            {name} <Badge tone="live">Live</Badge>
          </span>
        ) : (
          name
        )
      }
      description={view === "form" ? description : undefined}
      dismissible={!running}
      initialFocus={initialFocus}
      footer={over ? <SignInFooter onClose={onClose} /> : footer}
    >
      <div ref={content} tabIndex={-1} className="grid grid-cols-1 gap-4 outline-none">
        {reviewed ? (
          review?.content
        ) : (
          <form
            id={form}
            onSubmit={(event: FormEvent) => {
              event.preventDefault();
              onSubmit();
            }}
            noValidate
            className="grid grid-cols-1 gap-4"
          >
            {children}
          </form>
        )}
        {(running || (working && !failed)) && (
          <ProofProgress>{running ? words.running : (working ?? "")}</ProofProgress>
        )}
        {state.at === "review" && state.cancelled && (
          <Callout title="Cancelled.">{words.refused} It had not left this browser.</Callout>
        )}
        {failed && <Failure error={failed} asset={asset} agent={agent} title={words.refused} />}
        {blocked && (state.at === "review" || (state.at === "form" && !review)) && <Earlier words={words} />}
        {state.at === "unknown" && <LostResponse words={words} says={state.says} />}
      </div>
    </Dialog>
  );
}
