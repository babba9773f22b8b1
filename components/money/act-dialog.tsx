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
import { Failure } from "./failure";
import { Earlier, LostResponse } from "./lost-response";
import { SignInFooter } from "./sign-in-footer";
import type { MoneyMutation } from "./use-money-mutation";
import type { ActWords } from "./words";
import { Working } from "./working";

/** The step between a form and the act: the same thing once more, with the button that does it. */
export interface ReviewStep {
  title: string;
  content: ReactNode;
  /** The verb with what it is about: "Pay 12.34 USDG". */
  submit: string;
  onSubmit: () => void;
}

/**
 * The form of an act that moves money, its review and what becomes of it; on the live network it is marked as such. The
 * button that starts it is there only while nothing is under way and nothing is in doubt. Until the request leaves it
 * can be called back; from then on the dialog can be left only once something is known, or known to be unknown.
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
  /** The verb of the button that sends the form, or a button in place of it. */
  submit: string | ReactNode;
  act: MoneyMutation<I, O>;
  /** What happens before the payment; undefined while nothing does. */
  working?: string;
  words: ActWords;
  asset: string;
  /** Handle, where the money is an agent's. */
  agent?: string;
  /** Undefined where the form is the review: the wallet asks besides. */
  review?: ReviewStep;
  /** An earlier act to the same place is open: nothing like it is done before its outcome is known. */
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
  // Nothing was started, and nothing can be, no matter whether this page or the press of a button noticed it.
  const over = useSessionOver() && (state.at === "form" || state.at === "review");
  const view = state.at === "unknown" ? "unknown" : reviewed ? "review" : "form";
  const shown = useRef(view);
  useEffect(() => {
    // The button that was pressed has gone. On the content Enter does nothing: it cannot be pressed through to a
    // payment.
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
        {(running || working) && <Working>{running ? words.running : (working ?? "")}</Working>}
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
