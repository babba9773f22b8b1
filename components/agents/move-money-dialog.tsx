"use client";

import { ActDialog } from "@/components/money/act-dialog";
import { AmountField } from "@/components/money/amount-field";
import { BudgetHint } from "@/components/money/budget-hint";
import { PaidDialog } from "@/components/money/paid-dialog";
import { allOf } from "@/components/money/units";
import { useAct } from "@/components/money/use-act";
import { useSpentAmount, useSubmission } from "@/components/money/use-budget-amount";
import type { Decimals } from "@/lib/money";

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
  const payer = way === "fund" ? undefined : agent;
  const words = WORDS[way];
  const from = useSpentAmount(assets, assets[0]?.symbol ?? "USDG", payer, words.covers);
  const act = useAct("send");
  const title = way === "fund" ? `Fund ${agent}` : `Take back from ${agent}`;

  const { amount, asset, budget, wrong, short } = from;
  const form = useSubmission(from, {
    wrong: wrong !== undefined,
    covered: short === undefined,
    run: () => act.mutate(way === "fund" ? { to: agent, amount, asset } : { from: agent, to: owner, amount, asset }),
  });
  if (act.data) {
    return (
      <PaidDialog
        title={title}
        id={act.data.transfer_id}
        amount={act.variables?.amount}
        asset={asset}
        onClose={onClose}
      >
        {way === "fund" ? "to" : "back from"} <span className="wrap-anywhere font-medium">{agent}</span>
      </PaidDialog>
    );
  }
  const busy = act.isPending || form.waiting;
  return (
    <ActDialog
      title={title}
      description={words.says}
      onClose={onClose}
      onSubmit={form.submit}
      submit={words.button}
      act={act}
      working={act.isPending ? "Proving on this machine, then moving. A few seconds." : form.working}
      failed="Nothing was moved."
      asset={asset}
      agent={payer}
    >
      <AmountField
        {...from.field}
        hint={<BudgetHint budget={budget} asset={asset} agent={payer} waiting={from.opened?.notesTotal} />}
        error={form.checked && !busy ? (wrong ?? short) : undefined}
        shortcuts={way === "take back" ? allOf(budget, "Take all") : []}
        disabled={busy}
      />
    </ActDialog>
  );
}
