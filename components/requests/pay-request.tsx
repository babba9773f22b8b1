"use client";

import { ActDialog } from "@/components/money/act-dialog";
import { PaidDialog } from "@/components/money/paid-dialog";
import { PaymentReview } from "@/components/money/payment-review";
import { useMoneyMutation } from "@/components/money/use-money-mutation";
import { ACT_WORDS } from "@/components/money/words";
import { Providers } from "@/components/shell/providers";
import { grouped } from "@/components/ui/amount";
import type { OpenedRequest } from "@/sdk/payment-requests/open-request";
import { forgetLinkKey } from "./link-key";
import type { Visitor } from "./visitor";

interface Props {
  request: OpenedRequest;
  onClose: () => void;
}

/** The review of the payment, and what becomes of it. Paid again under the request's own id, it is the same payment. */
function PayDialog({ request, onClose }: Props) {
  const { payment_request_id: id, details, asset, payee, payee_handle, binding } = request;
  const act = useMoneyMutation("send", { act: "send", to: () => payee });
  const { state } = act;
  if (state.at === "done" || state.at === "found") {
    const close = () => {
      forgetLinkKey(id);
      onClose();
    };
    return (
      <PaidDialog title="Pay request" paid={state} asset={asset} onClose={close}>
        to <span className="wrap-anywhere font-medium">{payee_handle}</span>
      </PaidDialog>
    );
  }
  const input = { to: payee, amount: details.amount, asset, paymentRequest: id, binding, idempotencyKey: id };
  const decimals = asset === "ETH" ? 9 : 6;
  const reviewed = { amount: details.amount, asset, decimals, from: "your available balance" } as const;
  return (
    <ActDialog
      title="Pay request"
      description="From your available balance. The payment carries the request's binding, encrypted for the payee."
      onClose={onClose}
      onSubmit={() => act.start(input)}
      submit={`Pay ${grouped(details.amount)} ${asset}`}
      act={act}
      words={ACT_WORDS.send}
      asset={asset}
      blocked={act.blockedTo(payee)}
    >
      <PaymentReview
        of={{ ...reviewed, handle: payee_handle, address: payee, memo: details.note || undefined }}
        asking
      />
    </ActDialog>
  );
}

/** Pays with the keys of the signed-in account, which are unlocked in this page. */
export default function PayRequest({ visitor, ...props }: Props & { visitor: Extract<Visitor, { at: "in" }> }) {
  return (
    <Providers network={visitor.network} address={visitor.address} vaultWorker={visitor.vaultWorker} since={null}>
      <PayDialog {...props} />
    </Providers>
  );
}
