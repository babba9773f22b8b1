import { parseAmount } from "@/lib/money";
import { HalcyonError } from "../api/errors";
import type { AttemptOptions } from "../attempts/attempt-options";
import type { PaymentAwaitingApproval, SettledTransfer } from "../attempts/transfer-status";
import type { Context } from "../context/context";
import { type SendOptions, send } from "../payments/send";
import { type OpenedRequest, openRequest } from "./open-request";

/** Who pays, and how. */
export interface PayRequestInput {
  /** Handle of an agent of the account, which pays within its policy; the client's account when left out. */
  from?: string | undefined;
  memo?: string | undefined;
  /** Your reference, up to 64 characters. The payee and the service read it. */
  reference?: string | undefined;
  /** Client-signed: the service sees no amount. With the wallet that is so when left out. */
  prepared?: boolean | undefined;
  /** Refuses to pay more than this, as a decimal string of the request's asset. */
  most?: string | undefined;
}

/** A payment of a request, and what was paid. */
export interface PaidRequest {
  request: OpenedRequest;
  transfer: SettledTransfer | PaymentAwaitingApproval;
}

const CLOSED = {
  paid: "This payment request has been paid. Don't pay it again.",
  expired: "This payment request has expired. Ask its payee for another.",
  cancelled: "Its payee cancelled this payment request. Ask the payee before you pay.",
} as const;

/**
 * Pays what a verified request asks for. The idempotency key follows from the request, so that paying the same link twice pays
 * once.
 */
export async function payOpened(
  context: Context,
  request: OpenedRequest,
  input: PayRequestInput,
  options: SendOptions & AttemptOptions,
): Promise<PaidRequest> {
  const { payment_request_id: id, status, details, payee, binding, asset } = request;
  const { most, prepared = context.hasWallet, ...rest } = input;
  const resumes = options.pending !== undefined;
  if (!resumes && (status === "paid" || status === "expired" || status === "cancelled")) {
    throw new HalcyonError("payment_request_closed", CLOSED[status], { param: "link" });
  }
  const { decimals } = await context.asset(asset);
  if (most !== undefined && parseAmount(details.amount, decimals) > parseAmount(most, decimals)) {
    throw new HalcyonError("invalid_request", "The payment request asks for more than `most`. Nothing was sent.", {
      param: "most",
    });
  }
  const payment = { to: payee, amount: details.amount, asset, paymentRequest: id, binding, prepared, ...rest };
  const transfer = await send(context, { ...payment, idempotencyKey: id, ...options });
  return { request, transfer };
}

/** Pays a link: what `paymentRequests.pay` does. */
export async function payRequest(
  context: Context,
  link: string,
  input: PayRequestInput,
  options: SendOptions & AttemptOptions,
): Promise<PaidRequest> {
  return payOpened(context, await openRequest(context, link), input, options);
}
