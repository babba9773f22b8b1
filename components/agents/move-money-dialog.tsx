"use client";

import { useState } from "react";
import { ActDialog } from "@/components/money/act-dialog";
import { ACT_WORDS } from "@/components/money/act-wording";
import { PaidDialog } from "@/components/money/paid-dialog";
import { PaymentReview, type Reviewed } from "@/components/money/payment-review";
import { SpentAmountField } from "@/components/money/spent-amount-field";
import { useSpentAmount, useSubmission } from "@/components/money/use-available-amount";
import { useMoneyMutation } from "@/components/money/use-money-mutation";
import { written } from "@/components/ui/amount";
import type { Decimals } from "@/lib/base/money";

/** The direction of a move between the account's available balance and an agent's. */
export type Way = "fund" | "take back";

const WORDS = {
  fund: {
    says: "Moves money from your available balance to the agent's. No one else sees the amount.",
    verb: "Move",
    covers: "Your available balance does not cover this. Make more money available first.",
  },
  "take back": {
    says: "Moves money from the agent's available balance back to yours. No policy limits this.",
    verb: "Take back",
    covers: "The agent's available balance does not cover this.",
  },
} as const;

/**
 * Moves money between the account and an agent. This browser prepares and proves the payment; it or the wallet signs.
 */
export function MoveMoneyDialog({
  way,
  agent,
  owner,
  assets,
  guarded,
  onClose,
}: {
  way: Way;
  /** Handles of the agent and of the account. */
  agent: string;
  owner: string;
  assets: readonly { symbol: string; decimals: Decimals }[];
  /** Whether guard is on, so that the wallet signs. */
  guarded: boolean;
  onClose: () => void;
}) {
  const payer = way === "fund" ? undefined : agent;
  const words = WORDS[way];
  const from = useSpentAmount(assets, { first: assets[0]?.symbol ?? "USDG", agent: payer, covers: words.covers });
  const act = useMoneyMutation("send", { act: way, to: () => agent });
  const title = way === "fund" ? `Fund ${agent}` : `Take back from ${agent}`;

  const { amount, asset, available, wrong, short, decimals } = from;
  // A snapshot of what the person reviewed: figures that change later don't change the review.
  const [reviewed, setReviewed] = useState<Reviewed>();
  const form = useSubmission(from, {
    wrong: wrong !== undefined,
    covered: short === undefined,
    run: () => {
      const to = way === "fund" ? agent : owner;
      const source = way === "fund" ? "your available balance" : `the available balance of ${agent}`;
      setReviewed({ amount, asset, decimals, from: source, handle: to, between: true });
      act.review({ from: payer, to, own: true, amount, asset });
    },
  });
  const { state } = act;
  if (state.at === "done" || state.at === "found") {
    return (
      <PaidDialog title={title} paid={state} asset={state.input.asset ?? asset} onClose={onClose}>
        {way === "fund" ? "to" : "back from"} <span className="wrap-anywhere font-medium">{agent}</span>
      </PaidDialog>
    );
  }
  const busy = state.at !== "form" || form.waiting;
  return (
    <ActDialog
      title={title}
      description={`${words.says} ${guarded ? "Guard is on, so your wallet signs." : "Your wallet doesn't have to sign."}`}
      onClose={onClose}
      onSubmit={form.submit}
      submit="Review"
      act={act}
      working={form.working}
      words={ACT_WORDS[way]}
      asset={asset}
      agent={payer}
      blocked={act.blockedTo(agent)}
      review={
        reviewed && {
          title,
          content: <PaymentReview of={reviewed} available={available} asking={state.at === "review"} />,
          submit: `${words.verb} ${written(reviewed.amount)} ${reviewed.asset}`,
          onSubmit: () => state.at === "review" && act.start(state.input),
        }
      }
    >
      <SpentAmountField
        from={from}
        form={form}
        agent={payer}
        all={way === "take back" ? "Take all" : undefined}
        disabled={busy}
      />
    </ActDialog>
  );
}
