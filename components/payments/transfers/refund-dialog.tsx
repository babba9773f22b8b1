"use client";

import { useState } from "react";
import { ActDialog } from "@/components/money/act-dialog";
import { ACT_WORDS } from "@/components/money/act-wording";
import { AmountField } from "@/components/money/amount-field";
import { decimalsOf } from "@/components/money/decimals-of";
import { holdingOf, isDecrypted } from "@/components/money/holdings";
import { PaidDialog } from "@/components/money/paid-dialog";
import { PaymentReview } from "@/components/money/payment-review";
import { amountProblem, shortage, toUnits } from "@/components/money/units";
import { FUNDS } from "@/components/money/use-funds";
import { useMoneyMutation } from "@/components/money/use-money-mutation";
import { written } from "@/components/ui/amount";
import { useDecrypted } from "@/components/vault/vault-provider";
import type { Refundable } from "@/sdk/payments/refunds/refundable";

/** Refunds a received payment, all that is left or a part. This browser compares, proves and signs. */
export function RefundDialog({
  of,
  to,
  from,
  onClose,
}: {
  of: Refundable;
  /** Handle of the payer, who gets the refund. */
  to: string;
  /** Handle of the agent that received the payment, if it was an agent. */
  from: string | undefined;
  onClose: () => void;
}) {
  const { transfer_id: transferId, asset, left, received, refunded } = of;
  const decimals = decimalsOf(asset);
  const [amount, setAmount] = useState(left);
  const [checked, setChecked] = useState(false);
  const funds = useDecrypted("funds", FUNDS);
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
    toUnits(amount, decimals) > toUnits(left, decimals)
      ? `At most ${written(left)} ${asset} of this payment can still be refunded.`
      : undefined;
  const source = from ? `the available balance of ${from}` : "your available balance";
  const holding = holdingOf(funds.data, asset, from);
  const available = isDecrypted(holding) ? holding.available : undefined;
  // Balances that are being decrypted again may cover it.
  const known = funds.isFetching ? undefined : available;
  const tooFew = () =>
    shortage(amount, known, decimals, from && `The available balance of ${from} does not cover this.`);
  const wrong = amountProblem(amount, decimals) ?? tooMuch() ?? tooFew();
  const submit = () => {
    setChecked(true);
    if (wrong === undefined) act.review({ transferId, to, agent: from, amount, asset });
  };
  return (
    <ActDialog
      title={title}
      description={`You received ${written(received)} ${asset}. It goes back from ${source} to the account that paid, which sees which payment it refunds.`}
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
          <PaymentReview
            of={{ amount, asset, decimals, from: source, handle: to }}
            available={available}
            asking={state.at === "review"}
          />
        ),
        submit: `Refund ${written(amount)} ${asset}`,
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
            ? "Nothing of it has been refunded yet."
            : `${written(refunded)} ${asset} of it was refunded before; ${written(left)} ${asset} is left.`
        }
        problem={wrong}
        error={checked ? wrong : undefined}
        shortcuts={[{ label: "All that is left", amount: left }]}
        disabled={state.at !== "form"}
      />
    </ActDialog>
  );
}
