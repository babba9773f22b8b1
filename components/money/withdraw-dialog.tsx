"use client";

import { type FormEvent, useId, useRef, useState } from "react";
import { shortened } from "@/components/ui/address";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input } from "@/components/ui/field";
import { useOpened } from "@/components/vault/vault-provider";
import { AmountField } from "./amount-field";
import { FUNDS } from "./balances";
import { BudgetHint } from "./budget-hint";
import type { DialogProps } from "./dialog-props";
import { Failure } from "./failure";
import { holdingOf, isOpened } from "./holdings";
import { TransferOutcome } from "./transfer-outcome";
import { amountProblem, shortage } from "./units";
import { useAct } from "./use-act";
import { Working } from "./working";

function addressProblem(to: string): string | undefined {
  if (to === "") return "Say where to pay it out.";
  return /^0x[0-9a-f]{40}$/i.test(to) ? undefined : "Withdraw to an address: 0x and 40 hex digits.";
}

/** Pays tokens out of the budget to an address, in public. */
export function WithdrawDialog({ onClose, assets, address, asset: first, agent }: DialogProps) {
  const form = useId();
  const toInput = useRef<HTMLInputElement>(null);
  const [to, setTo] = useState("");
  const [amount, setAmount] = useState("");
  const [asset, setAsset] = useState(first);
  const [checked, setChecked] = useState(false);
  const funds = useOpened("funds", FUNDS);
  const act = useAct("withdraw");

  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const holding = holdingOf(funds.data, asset, agent);
  const budget = isOpened(holding) ? holding.budget : undefined;
  const problems = {
    to: addressProblem(to),
    amount: amountProblem(amount, decimals) ?? shortage(amount, budget, decimals),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problems.to || problems.amount) return;
    act.mutate({ to, amount, asset, agent });
  };
  const title = agent ? `Withdraw from ${agent}` : "Withdraw";
  if (act.data) {
    return (
      <Dialog
        open
        onClose={onClose}
        title={title}
        footer={
          <Button tone="primary" onClick={onClose}>
            Done
          </Button>
        }
      >
        <TransferOutcome id={act.data.transfer_id}>
          <span>
            <Amount value={act.variables?.amount} asset={asset} className="font-semibold" /> to{" "}
            <span className="font-mono text-base">{shortened(to)}</span>
          </span>
        </TransferOutcome>
      </Dialog>
    );
  }
  const busy = act.isPending;
  return (
    <Dialog
      open
      onClose={onClose}
      title={title}
      description="Pays tokens out of the budget to any address on this chain."
      dismissible={!busy}
      initialFocus={toInput}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" form={form} busy={busy}>
            Withdraw in public
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-4">
        <Callout tone="warning" title="A withdrawal is public.">
          Everybody can see its amount and both addresses on chain. What stays in your account stays private.
        </Callout>
        <div className="grid gap-2">
          <Field label="To address" error={checked ? problems.to : undefined}>
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
          amount={amount}
          onAmount={setAmount}
          asset={asset}
          onAsset={setAsset}
          assets={assets}
          hint={<BudgetHint budget={budget} asset={asset} agent={agent} />}
          error={checked ? problems.amount : undefined}
          shortcuts={budget !== undefined && budget !== "0" ? [{ label: "Use all", amount: budget }] : []}
          disabled={busy}
        />
        {busy && <Working>Proving on this machine, then sending. A few seconds.</Working>}
        {act.error && <Failure error={act.error} asset={asset} title="Nothing was withdrawn." />}
      </form>
    </Dialog>
  );
}
