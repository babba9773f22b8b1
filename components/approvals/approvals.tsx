"use client";

import { CircleCheckBig, Lock } from "lucide-react";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { type ReactNode, useEffect, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { classNames } from "@/components/ui/class-names";
import { useCount } from "@/components/ui/count";
import { EmptyState } from "@/components/ui/empty-state";
import { onDemand } from "@/components/ui/on-demand";
import { Pagination } from "@/components/ui/pagination";
import { RetryCallout } from "@/components/ui/retry-callout";
import { useToast } from "@/components/ui/toast";
import { useVault } from "@/components/vault/vault-provider";
import { DECIDED_PAGE_SIZE, WAITING } from "./filters";
import {
  type ApprovalAgent,
  type HeldDetails,
  type WaitingPage,
  type WaitingPayment,
  waitingDetails,
} from "./held-payment";
import { KeyLegend } from "./key-legend";
import { useQueueKeys } from "./queue-keys";
import { QueueList } from "./queue-list";
import { RejectAll } from "./reject-all";
import { type ApprovalStep, ReviewDialog } from "./review-dialog";
import { SelectBox } from "./select-box";
import type { ApprovalVerb } from "./use-bulk";
import { useDecision } from "./use-decision";
import { usePendingCount } from "./use-pending-count";
import { useQueue } from "./use-queue";
import { useRowFocus } from "./use-row-focus";
import { useSelection } from "./use-selection";

/** Contains the checks of every row. Loaded when several payments are decided together. */
const BulkDialog = onDemand(() => import("./bulk-dialog").then((module) => module.BulkDialog));

/** The query parameter that names the payment in the dialog. */
const OPEN = "open";

/** The queue of payments that wait for the owner, and the dialog that decides them. */
export function Approvals({
  initial,
  initialTotal,
  decided,
  agents,
  renderedAt,
  sessionId,
  opened,
  children,
}: {
  initial: WaitingPage;
  /** How many payments wait, on all pages. */
  initialTotal: number;
  /** The decided payments on this page; the dialog can show them too. */
  decided: readonly HeldDetails[];
  agents: readonly ApprovalAgent[];
  /** Server time of the render, in milliseconds. */
  renderedAt: number;
  sessionId: string;
  /** The payment that the page's address asks to open. */
  opened: HeldDetails | undefined;
  /** Shown if nothing waits. */
  children: ReactNode;
}) {
  const counted = useCount();
  const vault = useVault();
  const toast = useToast();
  const router = useRouter();
  const pathname = usePathname();
  const search = useSearchParams();
  const now = useClock(renderedAt);
  const { items, hasMore, forget, error, isFetching, refetch } = useQueue(initial, now);
  const total = usePendingCount(initialTotal);
  const decision = useDecision();
  const [step, setStep] = useState<ApprovalStep>("review");
  const [unasked, setUnasked] = useState(false);
  // Initially, or after following a link, the address decides which payment is open. Opening and closing here does not
  // wait for the server.
  const named = search.get(OPEN);
  const [seen, setSeen] = useState(named);
  const [id, setId] = useState(named);
  if (named !== seen) {
    setSeen(named);
    if (named !== null || id === seen) setId(named);
    setStep("review");
  }
  // A closing dialog still shows its last payment.
  const [shown, setShown] = useState(id);
  if (id !== null && id !== shown) setShown(id);

  const waiting = items.filter(({ left }) => left === undefined).map(({ entry }) => entry);
  const ids = waiting.map(({ transaction_id }) => transaction_id);
  const hrefOf = (to: string | null) => {
    const query = new URLSearchParams(search);
    if (to === null) query.delete(OPEN);
    else query.set(OPEN, to);
    return query.size > 0 ? `${pathname}?${query}` : pathname;
  };
  const show = (to: string, at: ApprovalStep = "review") => {
    setStep(at);
    decision.approving.reset();
    decision.rejecting.reset();
    setId(to);
  };
  const close = () => {
    setId(null);
    if (named !== null) router.replace(hrefOf(null), { scroll: false });
  };
  const approve = async (which: string) => {
    show(which);
    if (await vault.unlock()) setStep("approve");
  };
  const reject = (which: string) => {
    const entry = waiting.find(({ transaction_id }) => transaction_id === which);
    if (!unasked || !entry) return show(which, "reject");
    void decision.rejecting.run(entry, {
      onSuccess: () => toast.success("Payment rejected", "No money moved."),
      onError: toast.failure,
    });
    if (id !== null) close();
  };
  const selection = useSelection(ids);
  const { selected } = selection;
  const [bulk, setBulk] = useState<{ time: number; verb: ApprovalVerb; chosen: readonly WaitingPayment[] }>();
  const [bulkOpen, setBulkOpen] = useState(false);
  const decideSelected = async (verb: ApprovalVerb) => {
    const chosen = waiting.filter(({ transaction_id }) => selected.includes(transaction_id));
    if (verb === "approve" && !(await vault.unlock())) return;
    // A new key per decision, so that the dialog doesn't show the outcome of the previous one.
    setBulk((before) => ({ time: (before?.time ?? 0) + 1, verb, chosen }));
    setBulkOpen(true);
  };
  useQueueKeys({
    opened: id,
    reviewing: step !== "reject" && !decision.approving.busy && !decision.approving.output,
    ids,
    review: show,
    // With rows selected, the shortcuts apply to the selection.
    approve: (which) => void (selected.length > 0 && id === null ? decideSelected("approve") : approve(which)),
    reject: (which) => (selected.length > 0 && id === null ? void decideSelected("reject") : reject(which)),
    select: (which, range) => selection.toggle(which, !selected.includes(which), range),
  });

  useRowFocus(ids.join(" "), id);

  const next = ids.find((other) => other !== id);
  const known = [...items.map(({ entry }) => waitingDetails(entry)), ...decided, ...(opened ? [opened] : [])];
  return (
    <>
      <Card
        flush
        title={
          <>
            Waiting for you{" "}
            {total > 0 && (
              <span className="ml-1">
                <Badge tone="accent">{counted(total)}</Badge>
              </span>
            )}
          </>
        }
        action={
          items.length > 0 &&
          (vault.status === "unlocked" ? (
            <span className="inline-flex h-8 items-center text-muted text-xs pointer-coarse:h-11">
              Decrypted in this browser only
            </span>
          ) : (
            <Button
              data-early
              size="small"
              icon={<Lock size={14} aria-hidden="true" />}
              busy={vault.status === "unlocking"}
              onClick={() => void vault.unlock()}
            >
              Unlock amounts
            </Button>
          ))
        }
      >
        {error && (
          <div className="px-4 pb-4 sm:px-5">
            <RetryCallout title="The queue could not be updated." busy={isFetching} onRetry={refetch}>
              {messageOf(error)}
            </RetryCallout>
          </div>
        )}
        {items.length === 0 ? (
          <div className="border-line border-t">
            <EmptyState icon={<CircleCheckBig size={18} />} title="Nothing awaits your approval">
              {children}
            </EmptyState>
          </div>
        ) : (
          <>
            {ids.length > 1 && (
              <div className="flex items-center gap-3 border-line border-t px-4 py-2.5 text-muted text-xs sm:px-5">
                <SelectBox
                  label="Select all on this page"
                  checked={selected.length === ids.length}
                  onChange={(on) => selection.set(on ? ids : [])}
                />
                <span aria-hidden="true">Select all on this page</span>
              </div>
            )}
            <QueueList
              items={items}
              agents={agents}
              now={now}
              sessionId={sessionId}
              hrefOf={hrefOf}
              selection={ids.length > 1 || selected.length > 0 ? selection : undefined}
              onOpen={show}
              onGone={forget}
            />
          </>
        )}
        <Pagination
          label="Pages of payments that wait"
          path={pathname}
          query={{ status: search.get("status") ?? undefined, offset: search.get("offset") ?? undefined }}
          name={WAITING}
          limit={initial.limit}
          offset={initial.offset}
          hasMore={hasMore}
          before="Older"
          after="Newer"
        >
          <p className="text-muted text-xs tabular-nums">
            {counted(initial.offset + 1)}–{counted(initial.offset + waiting.length)} of {counted(total)}
          </p>
        </Pagination>
        {selected.length > 0 && (
          <BulkBar
            count={selected.length}
            onDecide={(verb) => void decideSelected(verb)}
            onClear={() => selection.set([])}
          />
        )}
        {items.length > 0 && selected.length === 0 && (
          // Phones have no keyboard to explain.
          <footer
            className={classNames(
              "flex-wrap items-center justify-between gap-3 border-line border-t px-4 py-3 sm:px-5",
              total > 1 ? "flex" : "hidden sm:flex pointer-coarse:hidden",
            )}
          >
            <div className="hidden sm:block pointer-coarse:hidden">
              <KeyLegend />
            </div>
            {total > 1 && (
              <div className="ml-auto">
                <RejectAll agents={agents} total={total} />
              </div>
            )}
          </footer>
        )}
      </Card>
      <p role="status" className="sr-only">
        {total === 1 ? "1 payment waits for you." : `${counted(total)} payments wait for you.`}
      </p>
      {bulk && (
        <BulkDialog
          key={bulk.time}
          open={bulkOpen}
          verb={bulk.verb}
          chosen={bulk.chosen}
          waiting={ids}
          agents={agents}
          sessionId={sessionId}
          decision={decision}
          onClose={() => {
            setBulkOpen(false);
            selection.set([]);
          }}
        />
      )}
      {shown !== null && (
        <ReviewDialog
          id={shown}
          open={id !== null}
          initial={known.find(({ transaction_id }) => transaction_id === shown)}
          agents={agents}
          now={now}
          sessionId={sessionId}
          step={step}
          onStep={setStep}
          decision={decision}
          onApprove={() => void approve(shown)}
          unasked={unasked}
          onUnasked={setUnasked}
          onNext={next === undefined ? undefined : () => show(next)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Actions for the selected rows. Stays visible while the list scrolls. */
function BulkBar({
  count,
  onDecide,
  onClear,
}: {
  count: number;
  onDecide: (verb: ApprovalVerb) => void;
  onClear: () => void;
}) {
  return (
    <div className="sticky bottom-0 z-20 flex flex-wrap items-center gap-x-3 gap-y-2 rounded-b-xl border-line border-t bg-raised px-4 py-3 sm:px-5">
      <p role="status" className="mr-auto text-sm">
        <span className="font-medium">{count} selected</span>{" "}
        <span className="text-muted text-xs">at most {DECIDED_PAGE_SIZE} at a time, from one page</span>
      </p>
      <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
        <Button onClick={onClear}>Clear</Button>
        <Button onClick={() => onDecide("reject")}>Reject {count}</Button>
        <Button tone="primary" onClick={() => onDecide("approve")}>
          Approve {count}
        </Button>
      </div>
    </div>
  );
}

const TICK_MS = 1_000;

/**
 * Returns the time, updated every second. Starts with the server's time, so that server and browser render the same.
 */
function useClock(atRendering: number): number {
  const [now, setNow] = useState(atRendering);
  useEffect(() => {
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
