"use client";

import { type FormEvent, useId, useState } from "react";
import { messageOf } from "@/components/api/message-of";
import { AmountField } from "@/components/money/amount-field";
import { FUNDS } from "@/components/money/balances";
import { holdingOf, isOpened } from "@/components/money/holdings";
import { TransferOutcome } from "@/components/money/transfer-outcome";
import { amountProblem, unitsOf } from "@/components/money/units";
import { useAct } from "@/components/money/use-act";
import { Working } from "@/components/money/working";
import { Amount } from "@/components/ui/amount";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Dialog } from "@/components/ui/dialog";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import type { Decimals } from "@/lib/money";
import { BudgetLine } from "./budget-line";

/** Between the account's budget and an agent's, whichever way. */
export type Way = "fund" | "take back";

const WORDS = {
  fund: {
    says: "Moves money from your budget to the agent's. Nobody else sees the amount, and your wallet is not asked.",
    button: "Fund agent",
    covers: "Your budget does not cover this. Allocate more to it first.",
  },
  "take back": {
    says: "Moves money from the agent's budget back to yours. No policy rules it, and your wallet is not asked.",
    button: "Take back",
    covers: "The agent's budget does not cover this.",
  },
} as const;

/** Moves money between the account and an agent: prepared, proven and signed in this browser. */
export function MoveMoneyDialog({
  way,
  agent,
  owner,
  assets,
  onClose,
}: {
  way: Way;
  /** Handles. */
  agent: string;
  owner: string;
  assets: readonly { symbol: string; decimals: Decimals }[];
  onClose: () => void;
}) {
  const form = useId();
  const vault = useVault();
  const [amount, setAmount] = useState("");
  const [asset, setAsset] = useState(assets[0]?.symbol ?? "USDG");
  const [checked, setChecked] = useState(false);
  const funds = useOpened("funds", FUNDS);
  const act = useAct("send");
  const words = WORDS[way];
  const title = way === "fund" ? `Fund ${agent}` : `Take back from ${agent}`;

  const decimals = assets.find(({ symbol }) => symbol === asset)?.decimals ?? 6;
  const holding = holdingOf(funds.data, asset, way === "fund" ? undefined : agent);
  const opened = isOpened(holding) ? holding : undefined;
  const wrong = amountProblem(amount, decimals);
  const isShort = opened !== undefined && !wrong && unitsOf(amount, decimals) > unitsOf(opened.budget, decimals);
  const problem = wrong ?? (isShort ? words.covers : undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (problem) return;
    act.mutate(way === "fund" ? { to: agent, amount, asset } : { from: agent, to: owner, amount, asset });
  };
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
            <Amount
              value={act.variables?.amount}
              asset={asset}
              sealed={vault.status !== "unlocked"}
              className="font-semibold"
            />{" "}
            {way === "fund" ? "to" : "back from"} <span className="wrap-anywhere font-medium">{agent}</span>
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
      description={words.says}
      dismissible={!busy}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            Cancel
          </Button>
          <Button tone="primary" type="submit" form={form} busy={busy}>
            {words.button}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} noValidate className="grid gap-4">
        <AmountField
          amount={amount}
          onAmount={setAmount}
          asset={asset}
          onAsset={setAsset}
          assets={assets}
          hint={
            <BudgetLine
              budget={holding && !opened ? null : opened?.budget}
              asset={asset}
              agent={way === "fund" ? undefined : agent}
              waiting={opened?.notesTotal}
            />
          }
          error={checked ? problem : undefined}
          shortcuts={
            way === "take back" && opened && opened.budget !== "0" ? [{ label: "Take all", amount: opened.budget }] : []
          }
          disabled={busy}
        />
        {busy && <Working>Proving on this machine, then moving. A few seconds.</Working>}
        {act.error && (
          <Callout tone="danger" title="Nothing was moved.">
            {messageOf(act.error)}
          </Callout>
        )}
      </form>
    </Dialog>
  );
}
