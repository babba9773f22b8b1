"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { messageOf } from "@/components/api/message-of";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { TransferStatusBadge } from "@/components/payments/transfers/status-badge";
import { Amount } from "@/components/ui/amount";
import { BackLink } from "@/components/ui/back-link";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyButton } from "@/components/ui/copy-button";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Fact } from "@/components/ui/fact";
import { Field, Input } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { PageHeader } from "@/components/ui/page-header";
import { RetryCallout } from "@/components/ui/retry-callout";
import { saveFile } from "@/components/ui/save-file";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { PaymentRequestResource } from "@/lib/payments/requests/payment-request-resource";
import type { RequestDetails } from "@/sdk/payments/requests/verify-request";
import { InvoiceLines, RequestFacts } from "./details";
import { useOpenedRequest } from "./request-amount";
import { useAutomaticCheck } from "./use-automatic-check";
import { PAYMENT_STATE, REQUEST_STATUS } from "./wording";

const QrCode = onDemand(() => import("@/components/ui/qr-code").then((module) => module.default));

function LinkCard({
  request,
  link,
  details,
  handle,
}: {
  request: PaymentRequestResource;
  link: string;
  details: RequestDetails;
  handle: string;
}) {
  const { busy, run } = useAsyncAction({ failed: "The PDF was not created." });
  const { asset, payee, reference, created_at: createdAt, expires_at: expiresAt } = request;
  const save = () =>
    run(async () => {
      const { invoicePdf } = await import("./invoice-pdf");
      const bytes = await invoicePdf({ details, asset, payee, handle, reference, createdAt, expiresAt, link });
      const name = (details.number ?? reference ?? "payment-request").replace(/[^\w.-]+/g, "-");
      saveFile(`${name}.pdf`, "application/pdf", new Uint8Array(bytes));
    });
  return (
    <Card
      title="Link"
      description="Anyone with it sees what it asks for and can pay. We never send it in an email or a message."
    >
      <div className="grid gap-4 sm:grid-cols-[minmax(0,1fr)_10rem]">
        <div className="grid content-start gap-3">
          <Field label="Payment link">
            {(control) => (
              <Input
                {...control}
                readOnly
                value={link}
                onFocus={(event) => event.currentTarget.select()}
                className="font-mono sm:text-xs!"
              />
            )}
          </Field>
          <div className="flex flex-wrap gap-2">
            <CopyButton value={link} label="payment link" text="Copy link" tone="primary" size="medium" />
            <Button onClick={save} busy={busy}>
              Save as PDF
            </Button>
          </div>
        </div>
        <div className="max-sm:max-w-48">
          <QrCode value={link} label="QR code of the payment link" />
        </div>
      </div>
    </Card>
  );
}

function Payments({ request, network }: { request: PaymentRequestResource; network: string }) {
  if (request.payments.length === 0) {
    return <p className="px-4 pb-5 text-muted text-sm sm:px-5">No payment names this request yet.</p>;
  }
  return (
    <ul className="divide-y divide-line border-line border-t text-sm">
      {request.payments.map(({ transfer_id, from, status, state, created_at }) => (
        <li key={transfer_id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-3.5 sm:px-5">
          <span>
            <Link href={`/${network}/transfers/${transfer_id}`} className="font-medium hover:text-accent">
              {from}
            </Link>
            <span className="block text-muted text-xs">
              <Time value={created_at} />
            </span>
          </span>
          <span className="flex gap-2">
            {status !== "confirmed" && <TransferStatusBadge status={status} />}
            <Badge tone={PAYMENT_STATE[state].tone}>{PAYMENT_STATE[state].name}</Badge>
          </span>
        </li>
      ))}
    </ul>
  );
}

/** One payment request: its content, its link and its payments. */
export function RequestDetail({
  path,
  initial,
  handle,
}: {
  path: string;
  initial: PaymentRequestResource;
  /** With the `@`. */
  handle: string;
}) {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const [cancelling, setCancelling] = useState(false);
  const check = useAsyncAction();
  const { data: request = initial } = useResource<PaymentRequestResource>(
    `/v1/payment-requests/${initial.payment_request_id}`,
    { initial, refetchInterval: initial.status === "processing" ? 5_000 : false },
  );
  useAutomaticCheck([request]);
  const { encrypted, state, opened, error: unread, isFetching, refetch } = useOpenedRequest(request);
  const { payment_request_id: id, status, reference, asset, expires_at, created_at } = request;
  const refresh = () => queries.invalidateQueries({ predicate: resourceKeys.below(network, "/v1/payment-requests") });
  const waits = request.payments.some((each) => each.state === "unchecked" && each.status === "confirmed");
  const details = opened?.details;
  return (
    <>
      <PageHeader
        back={<BackLink href={path}>Requests</BackLink>}
        title={reference ?? "Payment request"}
        action={
          <>
            {waits && (
              <Button
                tone="primary"
                busy={check.busy}
                onClick={() =>
                  check.run(async () => {
                    await vault.run("checkPaymentRequests", { id });
                    await refresh();
                  })
                }
              >
                Check payment
              </Button>
            )}
            {status === "open" && (
              <Button data-early onClick={() => setCancelling(true)}>
                Cancel request
              </Button>
            )}
          </>
        }
      />
      <div className="grid gap-5">
        {check.error && <ErrorCallout isUnknown={check.isUnknown}>{check.error}</ErrorCallout>}
        <Card>
          <div className="flex flex-wrap items-center justify-between gap-3">
            <p className="wrap-anywhere font-semibold text-3xl tracking-tight">
              <Amount
                value={state === "decrypting" ? undefined : (details?.amount ?? null)}
                asset={asset}
                encrypted={encrypted}
                className="whitespace-normal!"
              />
            </p>
            <Badge tone={REQUEST_STATUS[status].tone}>{REQUEST_STATUS[status].name}</Badge>
          </div>
          <p className="mt-1 text-muted text-sm">{REQUEST_STATUS[status].says}</p>
          {details && (
            <div className="mt-5">
              <InvoiceLines details={details} asset={asset} />
            </div>
          )}
          <dl className="mt-3 divide-y divide-line">
            {details && <RequestFacts details={details} />}
            <Fact name="Created">
              <Time value={created_at} />
            </Fact>
            <Fact name="Pay until">
              <Time value={expires_at} deadline />
            </Fact>
          </dl>
        </Card>
        {encrypted && (
          <Callout
            title="Unlock to see the amount and the link."
            action={
              <Button data-early onClick={() => void vault.unlock()}>
                Unlock
              </Button>
            }
          >
            Payments are checked automatically while amounts are unlocked here.
          </Callout>
        )}
        {state === "failed" && (
          <RetryCallout title="This request could not be decrypted now." busy={isFetching} onRetry={refetch}>
            {messageOf(unread)} That says nothing about the request.
          </RetryCallout>
        )}
        {state === "unreadable" && (
          <Callout tone="warning" title="This request can't be shown.">
            It can't be decrypted with your viewing key, or the payment key that signed it was replaced. Its link no
            longer works: cancel it and create another.
          </Callout>
        )}
        {opened?.link && details && status !== "cancelled" && status !== "expired" && (
          <LinkCard request={request} link={opened.link} details={details} handle={handle} />
        )}
        <Card title="Payments" flush>
          <Payments request={request} network={network} />
        </Card>
      </div>
      <ConfirmDialog
        open={cancelling}
        onClose={() => setCancelling(false)}
        title="Cancel this request?"
        keep="Keep request"
        confirm="Cancel request"
        onConfirm={async () => {
          await api(network).post(`/v1/payment-requests/${id}/cancel`);
          await refresh();
        }}
      >
        It can no longer be paid, and its link says so. You can't undo this.
      </ConfirmDialog>
    </>
  );
}
