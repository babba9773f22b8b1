"use client";

import { ArrowRight, ChevronRight } from "lucide-react";
import { type MouseEvent, useEffect, useEffectEvent, useState } from "react";
import { useResource } from "@/components/api/use-resource";
import { AgentName } from "@/components/ui/agent-name";
import { Amount } from "@/components/ui/amount";
import { classNames } from "@/components/ui/class-names";
import { Time } from "@/components/ui/time";
import { Countdown } from "./countdown";
import { type ApprovalAgent, deciderInWords, type HeldDetails, readHeld, type WaitingPayment } from "./held-payment";
import { OutcomeBadge } from "./outcome-badge";
import { SelectBox } from "./select-box";
import { useHeld } from "./use-held";
import type { RowSelection } from "./use-selection";

/** How long a payment that no longer waits stays in its place. */
const LINGER_MS = 8_000;
const ASK_MS = 2_000;

const ROW =
  "relative grid grid-cols-[1fr_auto_1rem] items-center gap-x-3 gap-y-1 px-4 py-3.5 text-sm sm:grid-cols-[1fr_9rem_9.5rem_1rem] sm:gap-x-4 sm:px-5";

/** Which agent asks and whom it would pay. */
function Parties({ entry, className }: { entry: WaitingPayment; className?: string }) {
  return (
    <span className={classNames("flex min-w-0 flex-wrap items-center gap-x-2 font-medium", className)}>
      <AgentName handle={entry.agent} />
      {/* Together, so that on a phone no arrow stands alone on a line. */}
      <span className="flex min-w-0 items-center gap-x-2">
        <ArrowRight size={14} aria-hidden="true" className="shrink-0 text-faint" />
        <span className="sr-only">asks to pay</span>
        <span className="wrap-anywhere">{entry.to}</span>
      </span>
    </span>
  );
}

/** A waiting payment. The whole row opens it. */
export function QueueRow({
  entry,
  agents,
  now,
  href,
  selection,
  onOpen,
}: {
  entry: WaitingPayment;
  agents: readonly ApprovalAgent[];
  now: number;
  href: string;
  selection: RowSelection | undefined;
  onOpen: () => void;
}) {
  const { encrypted, content, error } = useHeld(entry, agents);
  const open = (event: MouseEvent) => {
    // With a modifier key, the browser opens a new tab or window.
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    onOpen();
  };
  return (
    <li
      className={classNames(
        ROW,
        "hover:bg-sunken/50 has-[a:focus-visible]:bg-sunken/60 has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent has-[a:focus-visible]:-outline-offset-2",
      )}
    >
      <div className="flex min-w-0 items-center gap-3">
        {selection && (
          <SelectBox
            label={`Select the payment to ${entry.to}`}
            checked={selection.selected.includes(entry.transaction_id)}
            onChange={(on, range) => selection.toggle(entry.transaction_id, on, range)}
          />
        )}
        <div className="min-w-0">
          <a
            href={href}
            onClick={open}
            data-held={entry.transaction_id}
            className="block outline-none after:absolute after:inset-0"
          >
            <Parties entry={entry} />
          </a>
          <p className="mt-0.5 flex min-w-0 gap-1.5 text-muted text-xs">
            <span className="shrink-0">
              Asked <Time value={entry.requested_at} />
            </span>
            {content?.memo && (
              <span className="truncate">
                · <bdi>{content.memo}</bdi>
              </span>
            )}
          </p>
        </div>
      </div>
      <Amount
        value={error ? null : content?.amount}
        asset={entry.asset}
        encrypted={encrypted}
        className="justify-self-end font-medium text-[15px] sm:text-sm"
      />
      <Countdown
        until={entry.expires_at}
        now={now}
        className={classNames(
          "col-span-2 row-start-2 text-[13px] sm:col-span-1 sm:col-start-3 sm:row-start-1 sm:justify-self-end",
          // Aligned with the names, not with the checkbox before them.
          selection && "max-sm:pl-8",
        )}
      />
      <ChevronRight
        size={16}
        aria-hidden="true"
        className="col-start-3 row-span-2 row-start-1 text-faint sm:col-start-4 sm:row-span-1"
      />
    </li>
  );
}

/**
 * A payment that has just left its page of the queue, and why. Once the outcome is known, the row stays for a moment. A
 * payment that only moved to the previous page, because others were decided, disappears at once.
 *
 * @param left since when, in milliseconds since 1970
 */
export function LeftRow({
  entry,
  left,
  sessionId,
  onGone,
}: {
  entry: WaitingPayment;
  left: number;
  sessionId: string;
  onGone: () => void;
}) {
  const [asking, setAsking] = useState(true);
  const { data, dataUpdatedAt } = useResource<HeldDetails>(`/v1/agents/transactions/${entry.transaction_id}`, {
    read: readHeld(entry.transaction_id),
    refetchInterval: asking ? ASK_MS : false,
  });
  const decided = data?.status === "pending_approval" ? undefined : data;
  const known = decided !== undefined;
  if (known && asking) setAsking(false);
  const gone = useEffectEvent(onGone);
  const waits = data?.status === "pending_approval" && new Date(data.expires_at).getTime() > dataUpdatedAt;
  // A response that arrived at once may have been requested before the payment left.
  const moved = waits && dataUpdatedAt > left + ASK_MS;
  useEffect(() => {
    if (moved) gone();
  }, [moved]);
  useEffect(() => {
    if (!known) return;
    const timer = setTimeout(() => gone(), LINGER_MS);
    return () => clearTimeout(timer);
  }, [known]);
  if (moved) return null;
  return (
    <li className={classNames(ROW, "bg-sunken/40")}>
      <div className="min-w-0">
        <Parties entry={entry} className="text-muted" />
        <p className="mt-0.5 min-h-4 text-muted text-xs first-letter:uppercase">
          {decided && deciderInWords(decided, sessionId)}
        </p>
      </div>
      <span className="col-start-2 justify-self-end sm:col-start-3">
        {decided && <OutcomeBadge status={decided.status} />}
      </span>
    </li>
  );
}
