"use client";

import { Check } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { classNames } from "@/components/ui/class-names";

type WelcomeStepState = "done" | "now" | "later";

const MARKS: Record<WelcomeStepState, string> = {
  done: "bg-success-soft text-success",
  now: "bg-accent text-accent-ink",
  later: "bg-sunken text-muted",
};

/**
 * One step of the first visit. Completed steps shrink to one line; later ones show only their name.
 *
 * @param focus whether to focus the title, because the previous step was just completed here
 */
export function WelcomeStep({
  number,
  title,
  summary,
  state,
  focus,
  children,
}: {
  number: number;
  title: string;
  /** What was done, in a few words. */
  summary?: ReactNode;
  state: WelcomeStepState;
  focus: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const now = state === "now";
  useEffect(() => {
    if (now && focus) heading.current?.focus();
  }, [now, focus]);
  return (
    <li
      aria-current={now ? "step" : undefined}
      className={classNames(
        "flex gap-3 sm:gap-4",
        now ? "rounded-xl border border-line bg-raised p-4 shadow-raised sm:p-6" : "px-4 sm:px-6",
      )}
    >
      <span
        className={classNames(
          "grid size-7 shrink-0 place-items-center rounded-full font-medium text-xs tabular-nums",
          MARKS[state],
        )}
      >
        {state === "done" ? <Check size={14} strokeWidth={2.5} aria-hidden="true" /> : number}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex min-h-7 flex-wrap items-baseline justify-between gap-x-4">
          <h2
            ref={heading}
            tabIndex={-1}
            className={classNames(
              "pt-0.5 text-[15px] outline-none",
              now ? "font-semibold" : "font-medium",
              !now && "text-muted",
            )}
          >
            {title}
            {state === "done" && <span className="sr-only">, done</span>}
          </h2>
          {state === "done" && summary && <p className="text-muted text-sm">{summary}</p>}
        </div>
        {now && <div className="mt-2 grid gap-4 text-sm">{children}</div>}
      </div>
    </li>
  );
}

/** What a step is for, in a sentence or two. */
export function StepText({ children }: { children: ReactNode }) {
  return <p className="max-w-prose text-pretty text-muted">{children}</p>;
}
