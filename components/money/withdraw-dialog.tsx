"use client";

import { useRef, useState } from "react";
import { shortened } from "@/components/ui/address";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Field, Input } from "@/components/ui/field";
import { ActDialog } from "./act-dialog";
import { AmountField } from "./amount-field";
import { BudgetHint } from "./budget-hint";
import type { DialogProps } from "./dialog-props";
import { PaidDialog } from "./paid-dialog";
import { allOf } from "./units";
import { useAct } from "./use-act";
import { useSpentAmount, useSubmission } from "./use-budget-amount";

function addressProblem(to: string): string | undefined {
  if (to === "") return "Say where to pay it out.";
  return /^0x[0-9a-f]{40}$/i.test(to) ? undefined : "Withdraw to an address: 0x and 40 hex digits.";
}

/** Pays tokens out of the budget to an address, in public. */
export function WithdrawDialog({ onClose, assets, address, asset: first, agent }: DialogProps) {
  const toInput = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState("");
  const from = useSpentAmount(assets, first, agent);
  const act = useAct("withdraw");

  const { amount, asset, budget, wrong, short } = from;
  const nowhere = addressProblem(to);
  const form = useSubmission(from, {
    wrong: (nowhere ?? wrong) !== undefined,
    covered: short === undefined,
    run: () => act.mutate({ to, amount, asset, agent }),
  });
  const title = agent ? `Withdraw from ${agent}` : "Withdraw";
  if (act.data) {
    return (
      <PaidDialog
        title={title}
        id={act.data.transfer_id}
        amount={act.variables?.amount}
        asset={asset}
        onClose={onClose}
      >
        to <span className="font-mono text-base">{shortened(to)}</span>
      </PaidDialog>
    );
  }
  const busy = act.isPending || form.waiting;
  return (
    <ActDialog
      title={title}
      description="Pays tokens out of the budget to any address on this chain."
      initialFocus={toInput}
      onClose={onClose}
      onSubmit={form.submit}
      submit="Withdraw in public"
      act={act}
      working={act.isPending ? "Proving on this machine, then sending. A few seconds." : form.working}
      failed="Nothing was withdrawn."
      asset={asset}
      agent={agent}
    >
      <Callout tone="warning" title="A withdrawal is public.">
        Everybody can see its amount and both addresses on chain. What stays in your account stays private.
      </Callout>
      <div className="grid gap-2">
        <Field label="To address" error={form.checked ? nowhere : undefined}>
          {(control) => (
            <Input
              {...control}
              ref={toInput}
              value={to}
              onChange={(event) => setTo(event.target.value.trim())}
              placeholder="0x…"
              autoComplete="off"
              spellCheck={false}
              disabled={busy}
              className="font-mono"
            />
          )}
        </Field>
        <div>
          <Button size="small" onClick={() => setTo(address)} disabled={busy}>
            Use my wallet, {shortened(address)}
          </Button>
        </div>
      </div>
      <AmountField
        {...from.field}
        hint={<BudgetHint budget={budget} asset={asset} agent={agent} waiting={from.opened?.notesTotal} />}
        error={form.checked && !busy ? (wrong ?? short) : undefined}
        shortcuts={allOf(budget, "Use all")}
        disabled={busy}
      />
    </ActDialog>
  );
}
