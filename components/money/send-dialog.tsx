"use client";

import { type FormEvent, useId, useRef, useState } from "react";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Field, Input, TextArea } from "@/components/ui/field";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import { AmountField } from "./amount-field";
import { FUNDS } from "./balances";
import { BudgetHint } from "./budget-hint";
import type { DialogProps } from "./dialog-props";
import { Failure } from "./failure";
import { holdingOf, isOpened } from "./holdings";
import { RecipientState, recipientProblem, recipientRefusal } from "./recipient-state";
import { TransferOutcome } from "./transfer-outcome";
import { amountProblem, shortage } from "./units";
import { useAct } from "./use-act";
import { useLater } from "./use-later";
import { Working } from "./working";

/** As the API takes memos (docs/protocol.md section 6). */
const MEMO_BYTES = 512;

/** Pays from the budget: prepared, proven and signed in this browser. */
export function SendDialog({ onClose, assets, asset: first }: DialogProps) {
  const form = useId();
  const toInput = useRef<HTMLInputElement>(null);
  const vault = useVault();
  const [to, setTo] = useState("");
  const [amount, setAmount] = useState("");
  const [asset, setAsset] = useState(first);
  const [memo, setMemo] = useState("");
  const [checked, setChecked] = useState(false);
  const funds = useOpened("funds", FUNDS);
  const looked = useLater(to);
  const found = useOpened("recipient", { to: looked }, { enabled: recipientProblem(looked) === undefined });
  const act = useAct("send");

  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const holding = holdingOf(funds.data, asset);
  const budget = isOpened(holding) ? holding.budget : undefined;
  const memoBytes = new TextEncoder().encode(memo).length;
  const refusal = looked === to && vault.status === "unlocked" ? recipientRefusal(found) : undefined;
  const problems = {
    to: recipientProblem(to) ?? refusal,
    amount: amountProblem(amount, decimals) ?? shortage(amount, budget, decimals),
    memo: memoBytes > MEMO_BYTES ? `A memo holds up to ${MEMO_BYTES} bytes; this has ${memoBytes}.` : undefined,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problems.to || problems.amount || problems.memo) return;
    act.mutate({ to, amount, asset, memo: memo === "" ? undefined : memo });
  };
  const again = () => {
    act.reset();
    setTo("");
    setAmount("");
    setMemo("");
    setChecked(false);
  };
  if (act.data) {
    return (
      <Dialog
        open
        onClose={onClose}
        title="Send"
        footer={
          <>
            <Button onClick={again}>Send another</Button>
            <Button tone="primary" onClick={onClose}>
              Done
            </Button>
          </>
        }
      >
        <TransferOutcome id={act.data.transfer_id}>
          <span>
            <Amount
              value={act.variables?.amount}
              asset={asset}
              sealed={vault.status !== "unlocked"}
              className="font-semibold"
            />{" "}
            to <span className="font-medium">{to}</span>
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
      title="Send"
      description="A private payment from your budget: nobody but you and the recipient sees the amount."
      dismissible={!busy}
      initialFocus={toInput}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" form={form} busy={busy}>
            Send
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-4">
        <Field
          label="To"
          hint={refusal ? undefined : <RecipientState to={to} found={found} />}
          error={checked ? problems.to : refusal}
        >
          {(control) => (
            <Input
              {...control}
              ref={toInput}
              value={to}
              onChange={(event) => setTo(event.target.value.trim())}
              placeholder="@handle or 0x…"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              disabled={busy}
            />
          )}
        </Field>
        <AmountField
          amount={amount}
          onAmount={setAmount}
          asset={asset}
          onAsset={setAsset}
          assets={assets}
          hint={<BudgetHint budget={budget} asset={asset} />}
          error={checked ? problems.amount : undefined}
          shortcuts={budget !== undefined && budget !== "0" ? [{ label: "Use all", amount: budget }] : []}
          disabled={busy}
        />
        <Field label="Memo" optional hint="Encrypted: only you and the recipient can read it." error={problems.memo}>
          {(control) => (
            <TextArea
              {...control}
              rows={2}
              value={memo}
              onChange={(event) => setMemo(event.target.value)}
              disabled={busy}
            />
          )}
        </Field>
        {busy && <Working>Proving on this machine, then sending. A few seconds.</Working>}
        {act.error && <Failure error={act.error} asset={asset} title="Nothing was sent." />}
      </form>
    </Dialog>
  );
}
