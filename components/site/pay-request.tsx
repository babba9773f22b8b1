"use client";

import { useEffect, useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { ActDialog } from "@/components/money/act-dialog";
import { ACT_WORDS } from "@/components/money/act-wording";
import { decimalsOf } from "@/components/money/decimals-of";
import { hasPaidAddress, rememberPaid } from "@/components/money/has-paid-address";
import { holdingOf, isDecrypted } from "@/components/money/holdings";
import { PaidDialog } from "@/components/money/paid-dialog";
import { PaymentReview } from "@/components/money/payment-review";
import { shortage } from "@/components/money/units";
import { useSubmission } from "@/components/money/use-available-amount";
import { FUNDS } from "@/components/money/use-funds";
import { useMoneyMutation } from "@/components/money/use-money-mutation";
import { Providers } from "@/components/shell/providers";
import { written } from "@/components/ui/amount";
import { Callout } from "@/components/ui/callout";
import { useDecrypted } from "@/components/vault/vault-provider";
import type { OpenedRequest } from "@/sdk/payments/requests/open-request";
import { forgetLinkKey } from "../api/browser/link-key";
import type { Visitor } from "../payments/requests/visitor";

interface Props {
  request: OpenedRequest;
  onClose: () => void;
}

/** Returns whether this browser has paid an address for this account. Undefined until that is known. */
function usePaidBefore(payer: string, payee: string): boolean | undefined {
  const network = useNetwork();
  const [paid, setPaid] = useState<boolean>();
  useEffect(() => {
    void hasPaidAddress({ network, address: payer }, payee).then(setPaid);
  }, [network, payer, payee]);
  return paid;
}

/**
 * The review of the payment and its outcome. The request's id is the idempotency key, so paying again is the same
 * payment.
 */
function PayDialog({ request, payer, onClose }: Props & { payer: string }) {
  const { payment_request_id: id, details, asset, payee, payee_handle, binding, status } = request;
  const network = useNetwork();
  const funds = useDecrypted("funds", FUNDS);
  const paid = usePaidBefore(payer, payee);
  const act = useMoneyMutation("send", { act: "send", to: () => payee });
  const { state } = act;
  const decimals = decimalsOf(asset);
  const holding = holdingOf(funds.data, asset);
  const available = isDecrypted(holding) ? holding.available : undefined;
  // A payment that was sent may have used the balance: paying again is the same payment, so nothing stands in its way.
  const short = status === "processing" ? undefined : shortage(details.amount, available, decimals);
  const form = useSubmission(
    { funds },
    {
      wrong: false,
      covered: short === undefined,
      looking: paid === undefined,
      run: () => {
        act.start({ to: payee, amount: details.amount, asset, paymentRequest: id, binding, idempotencyKey: id });
        void rememberPaid({ network, address: payer }, payee);
      },
    },
  );
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
  const reviewed = { amount: details.amount, asset, decimals, from: "your available balance" } as const;
  return (
    <ActDialog
      title="Pay request"
      description="From your available balance. The payment names this request, encrypted for the payee."
      onClose={onClose}
      onSubmit={form.submit}
      submit={`Pay ${written(details.amount)} ${asset}`}
      act={act}
      working={form.working}
      words={ACT_WORDS.send}
      asset={asset}
      blocked={act.blockedTo(payee)}
    >
      <PaymentReview
        of={{
          ...reviewed,
          handle: payee_handle,
          address: payee,
          memo: details.note || undefined,
          isNew: paid === false,
        }}
        available={available}
        asking={state.at === "form"}
      />
      {state.at === "form" && short && !funds.isFetching && (
        <Callout
          tone="danger"
          title="Your available balance does not cover this."
          action={<a href={`/${network}/balances`}>Your balances</a>}
        >
          Make more money available, then open the link again.
        </Callout>
      )}
    </ActDialog>
  );
}

/** Pays with the keys of the signed-in account, unlocked in this page. */
export default function PayRequest({ visitor, ...props }: Props & { visitor: Extract<Visitor, { at: "in" }> }) {
  return (
    <Providers network={visitor.network} address={visitor.address} vaultWorker={visitor.vaultWorker} since={null}>
      <PayDialog {...props} payer={visitor.address} />
    </Providers>
  );
}
