"use client";

import { type FormEvent, useId, useRef, useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { useToast } from "@/components/ui/toast";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { AllocationSummary, allocationOf } from "./allocation-summary";
import { AmountField } from "./amount-field";
import { FUNDS } from "./balances";
import type { DialogProps } from "./dialog-props";
import { Failure } from "./failure";
import { holdingOf, isOpened } from "./holdings";
import { amountProblem, sumOf, unitsOf } from "./units";
import { useAct } from "./use-act";
import { Working } from "./working";

/** Sets the budget: more from notes and credit, or less, back to private as a note. */
export function AllocateDialog({ onClose, assets, asset: first, agent }: DialogProps) {
  const form = useId();
  const vault = useVault();
  const toast = useToast();
  const [amount, setAmount] = useState("");
  const [asset, setAsset] = useState(first);
  const [checked, setChecked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const funds = useOpened("funds", FUNDS);
  const act = useAct("allocate");

  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const holding = holdingOf(funds.data, asset, agent);
  const opened = isOpened(holding) ? holding : undefined;
  const most = opened && sumOf([opened.budget, opened.notesTotal, opened.credit], decimals);
  const wrong = amountProblem(amount, decimals, { zero: true });
  const problem = wrong ?? aboveAll(amount, most, opened?.more ?? false, decimals);
  const plan = opened && !problem ? allocationOf(opened, amount, decimals) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem || plan?.kind === "same") return;
    act.mutate(
      { budget: amount, asset, agent },
      {
        onSuccess: () => {
          toast.success("The budget is as you set it.", "Final on chain; payments can use it now.");
          onClose();
        },
      },
    );
  };
  const busy = act.isPending;
  const locked = vault.status !== "unlocked";
  return (
    <Dialog
      open
      onClose={onClose}
      title={agent ? `Budget of ${agent}` : "Allocate"}
      description="The budget is what you and your API keys can pay from. The rest stays yours alone, as notes and credit."
      dismissible={!busy}
      initialFocus={locked ? button : input}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          {locked ? (
            <Button ref={button} tone="primary" onClick={() => vault.unlock().catch(toast.failure)}>
              Unlock
            </Button>
          ) : (
            <Button tone="primary" type="submit" form={form} busy={busy} disabled={!opened || plan?.kind === "same"}>
              Set budget
            </Button>
          )}
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-4">
        <dl className="divide-y divide-line rounded-lg border border-line text-sm">
          {(
            [
              ["Budget now", opened?.budget],
              ["In notes", opened?.notesTotal],
              ["Credit", opened?.credit],
            ] as const
          ).map(([name, value]) => (
            <div key={name} className="flex justify-between gap-4 px-3.5 py-2">
              <dt className="text-muted">{name}</dt>
              <dd className="font-medium">
                <Amount value={holding && !opened ? null : value} asset={asset} sealed={locked} />
              </dd>
            </div>
          ))}
        </dl>
        <AmountField
          inputRef={input}
          label="New budget"
          amount={amount}
          onAmount={setAmount}
          asset={asset}
          onAsset={(next) => {
            setAsset(next);
            setAmount("");
            setChecked(false);
          }}
          assets={assets}
          error={checked ? problem : undefined}
          shortcuts={most === undefined ? [] : shortcutsOf(most, opened?.budget)}
          disabled={busy || locked}
        />
        {plan && <AllocationSummary plan={plan} asset={asset} agent={agent} />}
        {holding && !isOpened(holding) && (
          <Callout tone="danger" title="This budget does not open.">
            {holding.error.message}
          </Callout>
        )}
        {busy && <Working>Proving on this machine, then your wallet signs and the chain settles it.</Working>}
        {act.error && <Failure error={act.error} asset={asset} title="The budget was not changed." />}
      </form>
    </Dialog>
  );
}

function shortcutsOf(most: string, budget = "0") {
  return [
    ...(most === budget ? [] : [{ label: "Everything", amount: most }]),
    ...(budget === "0" ? [] : [{ label: "Nothing", amount: "0" }]),
  ];
}

function aboveAll(amount: string, most: string | undefined, more: boolean, decimals: 6 | 9): string | undefined {
  if (most === undefined || more || unitsOf(amount, decimals) <= unitsOf(most, decimals)) return undefined;
  return "Budget, notes and credit together do not cover this. Set a smaller budget, or add funds first.";
}
