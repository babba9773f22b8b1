import type { CheckedRequestPayment } from "../payments/requests/check-requests";
import type { DecryptedRequest } from "../payments/requests/decrypt-request";
import type { OpenedRequest } from "../payments/requests/open-request";
import type { PaidRequest } from "../payments/requests/pay-request";
import type { RequestDetails } from "../payments/requests/verify-request";
import { fields, table, time } from "./output";

function lines({ lines: all }: RequestDetails): string[] {
  if (all.length === 0) return [];
  const rows = all.map(({ text, quantity, price, total }) => [text, String(quantity), price, total]);
  return ["", table(["line", "quantity", "price", "total"], rows, "none")];
}

function asked(details: RequestDetails | null, asset: string) {
  if (details === null) return { amount: "(encrypted)" };
  const { amount, note, due, number, seller, customer } = details;
  return {
    amount: `${amount} ${asset}`,
    ...(note && { note }),
    ...(due && { due }),
    ...(number && { number }),
    ...(seller && { seller }),
    ...(customer && { customer }),
  };
}

const said = (state: string) => `${state} (unverified)`;

/** Returns a status, marked if only the service says it. */
export const statusOf = ({ status, unverified_status }: DecryptedRequest) =>
  unverified_status ? said(status) : status;

/** Formats a request of the account. */
export function showOwn(request: DecryptedRequest): string {
  const { payment_request_id, asset, reference, expires_at, details, payments, link } = request;
  return [
    fields({
      payment_request: payment_request_id,
      status: statusOf(request),
      ...asked(details, asset),
      reference: reference ?? "-",
      expires_at: time(expires_at),
    }),
    ...(details ? lines(details) : []),
    ...(payments.length > 0
      ? [
          "",
          table(
            ["payment", "from", "on chain", "state"],
            payments.map(({ transfer_id, from, status, state }) => [transfer_id, from, said(status), said(state)]),
            "none",
          ),
        ]
      : []),
    "",
    link ?? "Its link can't be shown: decrypt it with the wallet key or a viewing key.",
  ].join("\n");
}

/** Formats what a link asks for. */
export function showRequest({
  payment_request_id,
  status,
  payee,
  payee_handle,
  asset,
  expires_at,
  details,
}: OpenedRequest): string {
  return [
    fields({
      payment_request: payment_request_id,
      status,
      payee,
      "handle (says the service)": payee_handle,
      ...asked(details, asset),
      expires_at: time(expires_at),
    }),
    ...lines(details),
    "",
    "The payee's key has signed this. Nothing is paid yet: run the command again with --yes.",
  ].join("\n");
}

/** Formats the payment of a request. */
export function showPaid({ request, transfer }: PaidRequest): string {
  const { amount } = request.details;
  const state = "transaction_id" in transfer ? "awaits your owner's approval" : transfer.status;
  const id = "transaction_id" in transfer ? transfer.transaction_id : transfer.transfer_id;
  const to = `${request.payee}, which the service calls ${request.payee_handle}`;
  return fields({ paid: `${amount} ${request.asset}`, to, payment: id ?? "-", status: state });
}

/** Formats the results of checking payments. */
export function showChecked(checked: readonly CheckedRequestPayment[]): string {
  const rows = checked.map(({ payment_request_id, transfer_id, requested, paid, finding, status }) => {
    const [found, state] = finding === null ? ["not checked", `${status} (unverified)`] : [finding, status];
    return [payment_request_id, transfer_id, requested ?? "-", paid ?? "-", found, state];
  });
  const problems = checked.flatMap(({ transfer_id, problem }) => (problem ? [`${transfer_id}: ${problem}`] : []));
  const none = "No payment of a request waits to be checked.";
  return [table(["request", "payment", "requested", "paid", "finding", "request is"], rows, none), ...problems].join(
    "\n",
  );
}
