"use client";

import { useRef, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { Amount } from "@/components/ui/amount";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog } from "@/components/ui/dialog";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Skeleton } from "@/components/ui/skeleton";
import { useWork } from "@/components/ui/use-work";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import type { BudgetLoss } from "@/sdk/abandon";
import type { DialogProps } from "./dialog-props";
import { DoLink } from "./do-link";
import { useMoneyMoved } from "./use-act";

/** Gives up a budget that opens for nobody: says what is lost with it and what is not, asks, and has the wallet sign it. */
export function AbandonDialog({ onClose, asset, agent }: DialogProps) {
  const vault = useVault();
  const cancel = useRef<HTMLButtonElement>(null);
  const moved = useMoneyMoved();
  const { busy, error, run } = useWork();
  const [understood, setUnderstood] = useState(false);
  const [done, setDone] = useState(false);
  const loss = useOpened("budgetLoss", { asset, agent }, { enabled: !done });
  const locked = vault.status !== "unlocked";
  const title = agent ? `Give up the budget of ${agent}` : `Give up your ${asset} budget`;
  if (done) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        footer={
          <>
            <Button onClick={onClose}>Done</Button>
            <DoLink act="allocate" parameters={{ asset, agent }} className={buttonClass("primary")}>
              Allocate again
            </DoLink>
          </>
        }
      >
        <Callout tone="success" title="The budget is empty, and yours to use again.">
          Notes and credit are as they were: allocate them to the budget to pay from it.
        </Callout>
      </Dialog>
    );
  }
  const giveUp = () =>
    run(async () => {
      try {
        await vault.run("abandon", { asset, agent });
        setDone(true);
      } finally {
        // After a failure as well: the chain may have it all the same, and says so here.
        moved();
        void loss.refetch();
      }
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description="For a budget whose amount nobody can open any more. Nothing can be paid from it as it is."
      dismissible={!busy}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {locked ? (
            <Button tone="primary" onClick={() => void vault.unlock()}>
              Unlock
            </Button>
          ) : (
            <Button tone="danger" busy={busy} disabled={!loss.data || !understood} onClick={giveUp}>
              Give up this budget
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-4 text-sm">
        {locked && (
          <p className="text-muted">Unlock first: this browser reads on the chain what the budget can have held.</p>
        )}
        {!locked && loss.isPending && !loss.error && <Skeleton className="h-40 w-full" />}
        {loss.error && (
          <RetryCallout title="The chain could not be read." busy={loss.isFetching} onRetry={loss.refetch}>
            {messageOf(loss.error)}
          </RetryCallout>
        )}
        {loss.data === null && (
          <Callout tone="success" title="This budget opens. There is nothing to give up.">
            If its amount was not shown, open your amounts again.
          </Callout>
        )}
        {loss.data && (
          <Loss loss={loss.data}>
            <Checkbox
              label="I understand that what is in this budget is lost for good."
              checked={understood}
              onChange={setUnderstood}
              disabled={busy}
            />
          </Loss>
        )}
        {error && (
          <Callout tone="danger" title="That did not finish.">
            {error} Above is what the chain shows now.
          </Callout>
        )}
      </div>
    </Dialog>
  );
}

function Loss({ loss, children }: { loss: BudgetLoss; children: React.ReactNode }) {
  const { lost_at_most: most, asset, notes, credit } = loss;
  return (
    <>
      <div className="grid gap-1">
        <p className="font-semibold text-3xl tracking-tight">
          {most === null ? "Unknown" : <Amount value={most} asset={asset} />}
        </p>
        <p className="text-pretty text-muted">
          {most === null
            ? "is lost: the chain does not show how much the budget can have held at most."
            : "at most is lost: the chain shows that the budget cannot have held more."}
        </p>
      </div>
      <dl className="divide-y divide-line rounded-lg border border-line">
        {(
          [
            ["Stays yours in notes", notes],
            ["Stays yours as credit", credit],
          ] as const
        ).map(([name, value]) => (
          <div key={name} className="flex justify-between gap-4 px-3.5 py-2.5">
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium">
              <Amount value={value} asset={asset} />
            </dd>
          </div>
        ))}
      </dl>
      <Callout tone="danger" title="This cannot be taken back.">
        Somebody who could sign for this budget left a copy that does not open. Giving it up sets the budget to zero;
        nobody gets what was in it, Halcyon neither. If you suspect a stolen key, replace the budget secret as well
        (halcyon rotate-budget-secret).
      </Callout>
      {children}
    </>
  );
}
