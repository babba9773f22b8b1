"use client";

import { X } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { KEEPS_CHECKING } from "@/components/api/unknown-outcome";
import { useResource } from "@/components/api/use-resource";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { useAsyncAction } from "@/components/ui/use-async-action";
import type { PayoutResource } from "@/lib/payments/payouts/payout-resource";
import { lastDeadline } from "@/sdk/payments/attempts/pending-payment";
import { ACT_WORDS, placeInWords } from "./act-wording";
import { actsInOpenDialogs, isInOpenDialog } from "./acts-in-open-dialogs";
import type { Kept } from "./kept-payments";
import { usePayments } from "./payments-provider";
import { useMoneyMoved } from "./use-money-mutation";

const LINK = "font-medium text-ink underline underline-offset-2";

/** How often to check the other tabs: a tab can close at any time and leave its payments to this one. */
const LOOK_MS = 1_000;

/** Returns the payments that no dialog of any tab reports and that someone needs to know about. */
function useLost(kept: readonly Kept[]): readonly Kept[] {
  const [elsewhere, setElsewhere] = useState<ReadonlySet<string>>();
  const isKnown = ({ accepted, outcome }: Kept) => accepted && outcome?.made !== false;
  const open = kept.filter((each) => !isKnown(each));
  const ids = open.map(({ id }) => id).join(" ");
  useEffect(() => {
    if (ids === "") return;
    const look = () => void actsInOpenDialogs(ids.split(" ")).then(setElsewhere, () => setElsewhere(new Set()));
    look();
    const timer = setInterval(look, LOOK_MS);
    return () => clearInterval(timer);
  }, [ids]);
  // Until the other tabs are known, show nothing rather than show it twice.
  return elsewhere ? open.filter(({ id }) => !isInOpenDialog(id) && !elsewhere.has(id)) : [];
}

/** Reports the outcome of payments whose dialog was closed or left. Each stays until dismissed. */
export function LostPayments() {
  const { kept } = usePayments();
  const lost = useLost(kept);
  if (lost.length === 0) return null;
  return (
    <section aria-label="Payments that were not finished" className="mb-6 grid gap-2">
      {lost.map((each) => (
        <Unfinished key={each.id} kept={each} />
      ))}
    </section>
  );
}

/** Reports one of them. */
export function Unfinished({ kept }: { kept: Kept }) {
  return kept.act === "payout" && kept.to ? (
    <UnfinishedPayout kept={kept} payoutId={kept.to} />
  ) : (
    <Report kept={kept} />
  );
}

/** Once a payout is cancelled, its page says what was paid. Only what was paid nevertheless is reported here. */
function UnfinishedPayout({ kept, payoutId }: { kept: Kept; payoutId: string }) {
  const { payments } = usePayments();
  const { data, isPending } = useResource<PayoutResource>(`/v1/payouts/${payoutId}`, { refetchInterval: 3 * LOOK_MS });
  const isOver = data?.status === "cancelled" && !kept.outcome?.made;
  const isNothing = isOver && kept.outcome !== undefined;
  useEffect(() => {
    if (isNothing) payments.drop(kept.id);
  }, [isNothing, payments, kept.id]);
  return isPending || isOver ? null : <Report kept={kept} />;
}

function Report({ kept }: { kept: Kept }) {
  const { payments, look } = usePayments();
  const network = useNetwork();
  const moved = useMoneyMoved();
  const looking = useAsyncAction({ failed: "The payment was not checked" });
  const { id, act, to, outcome, pending } = kept;
  const words = ACT_WORDS[act];
  const subject = words.subject(placeInWords(to));
  useEffect(() => {
    if (outcome) moved();
  }, [outcome, moved]);
  const dismiss = (
    <button
      type="button"
      aria-label="Dismiss"
      onClick={() => payments.drop(id)}
      className="-my-1 -mr-1.5 grid size-7 shrink-0 place-items-center rounded-md text-muted hover:text-ink pointer-coarse:-my-3 pointer-coarse:-mr-3 pointer-coarse:size-11"
    >
      <X size={14} aria-hidden="true" />
    </button>
  );
  if (!outcome) {
    // Only the person can see that their wallet will not send it any more.
    const byWallet = lastDeadline(pending) === null;
    return (
      <Notice
        tone="warning"
        title={`We don't know yet what became of ${lower(subject)}.`}
        corner={byWallet && dismiss}
        action={
          <Button size="small" busy={looking.busy} onClick={() => looking.run(look)}>
            Check again
          </Button>
        }
      >
        {words.warning} {KEEPS_CHECKING}
        {byWallet && " If your wallet neither lists it nor asks for it any more, it was not made: dismiss this."}
      </Notice>
    );
  }
  if (!outcome.made) {
    return (
      <Notice tone="danger" title={`${subject} was not made.`} corner={dismiss}>
        {words.refused} It can no longer happen, so you can safely try again.{" "}
        {act === "payout" && (
          <Link href={`/${network}/payouts/${to}`} className={LINK}>
            View payout
          </Link>
        )}
      </Notice>
    );
  }
  return (
    <Notice tone="success" title={`${subject} was made.`} corner={dismiss}>
      The chain confirms it.{" "}
      {outcome.transferId && (
        <Link href={`/${network}/transfers/${outcome.transferId}`} className={LINK}>
          View transfer
        </Link>
      )}
    </Notice>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function Notice(props: {
  tone: "warning" | "danger" | "success";
  title: string;
  action?: ReactNode;
  corner?: ReactNode;
  children: ReactNode;
}) {
  const { children, ...rest } = props;
  return (
    <div role={props.tone === "danger" ? undefined : "status"}>
      <Callout {...rest}>{children}</Callout>
    </div>
  );
}
