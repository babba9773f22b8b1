"use client";

import { useState } from "react";
import { ActDialog } from "@/components/money/act-dialog";
import { AmountField } from "@/components/money/amount-field";
import { PaidDialog } from "@/components/money/paid-dialog";
import { PaymentReview } from "@/components/money/payment-review";
import { amountProblem, unitsOf } from "@/components/money/units";
import { useMoneyMutation } from "@/components/money/use-money-mutation";
import { ACT_WORDS } from "@/components/money/words";
import { grouped } from "@/components/ui/amount";
import type { Decimals } from "@/lib/money";
import type { Refundable } from "@/sdk/refunds/refundable";

/** Gives a received payment back, all that is left of it or a part: compared, proven and signed in this browser. */
export function RefundDialog({
  of,
  to,
  from,
  onClose,
}: {
  of: Refundable;
  /** Who paid: a handle. */
  to: string;
  /** Of an agent that received it its handle. */
  from: string | undefined;
  onClose: () => void;
}) {
  const { transfer_id: transferId, asset, left, received, refunded } = of;
  const decimals: Decimals = asset === "ETH" ? 9 : 6;
  const [amount, setAmount] = useState(left);
  const [checked, setChecked] = useState(false);
  const act = useMoneyMutation("refund", { act: "refund", to: (input) => input.to });
  const title = `Refund to ${to}`;
  const { state } = act;
  if (state.at === "done" || state.at === "found") {
    return (
      <PaidDialog title={title} paid={state} asset={asset} onClose={onClose}>
        back to <span className="wrap-anywhere font-medium">{to}</span>
      </PaidDialog>
    );
  }
  const tooMuch = () =>
    unitsOf(amount, decimals) > unitsOf(left, decimals)
      ? `At most ${grouped(left)} ${asset} of this payment can still be refunded.`
      : undefined;
  const wrong = amountProblem(amount, decimals) ?? tooMuch();
  const submit = () => {
    setChecked(true);
    if (wrong === undefined) act.review({ transferId, to, amount, asset });
  };
  const source = from ? `the available balance of ${from}` : "your available balance";
  return (
    <ActDialog
      title={title}
      description={`You received ${grouped(received)} ${asset}. It goes back from ${source} to the account that paid, which sees what it is a refund of.`}
      onClose={onClose}
      onSubmit={submit}
      submit="Review"
      act={act}
      words={ACT_WORDS.refund}
      asset={asset}
      agent={from}
      blocked={act.blockedTo(to)}
      review={{
        title,
        content: (
          <PaymentReview of={{ amount, asset, decimals, from: source, handle: to }} asking={state.at === "review"} />
        ),
        submit: `Refund ${grouped(amount)} ${asset}`,
        onSubmit: () => state.at === "review" && act.start(state.input),
      }}
    >
      <AmountField
        amount={amount}
        onAmount={setAmount}
        asset={asset}
        onAsset={() => {}}
        assets={[{ symbol: asset }]}
        hint={
          refunded === "0"
            ? "Nothing of it was refunded before."
            : `${grouped(refunded)} ${asset} of it were refunded before; ${grouped(left)} ${asset} are left.`
        }
        error={checked ? wrong : undefined}
        shortcuts={[{ label: "All that is left", amount: left }]}
        disabled={state.at !== "form"}
      />
    </ActDialog>
  );
}
