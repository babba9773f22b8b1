import { parseAmount } from "@/lib/base/money";
import { HalcyonError } from "../../api/errors";
import type { Context } from "../../context/context";
import type { AttemptOptions } from "../attempts/attempt-options";
import type { PaymentAwaitingApproval, SettledTransfer } from "../attempts/transfer-status";
import { sendBlind } from "../blind/pay-blind";
import { type SendOptions, send } from "../send";
import { type OpenedRequest, openRequest, timeOfService } from "./open-request";

/** Options for paying a request. */
export interface PayRequestInput {
  /** Handle of an agent of the account, which pays within its policy. Default: the client's account. */
  from?: string | undefined;
  memo?: string | undefined;
  /** Your reference, up to 64 characters. The payee and the service can read it. */
  reference?: string | undefined;
  /** Client-signed: the service does not see the amount. Default: true with the wallet. */
  clientSigned?: boolean | undefined;
  /** Refuses to pay more than this, as a decimal string in the request's asset. */
  most?: string | undefined;
}

/** A request, and the payment made for it. */
export interface PaidRequest {
  request: OpenedRequest;
  transfer: SettledTransfer | PaymentAwaitingApproval;
}

const CLOSED = {
  paid: "This payment request has been paid. Don't pay it again.",
  expired: "This payment request has expired. Ask the payee for another.",
  cancelled: "The payee cancelled this payment request. Ask them before you pay.",
} as const;

/** Names both clocks: by the payer's, the request may still be open. */
function expiryTimes(request: OpenedRequest): string {
  const service = timeOfService(request);
  const byService = service ? `, and by the service's it was ${service.toISOString()}` : "";
  return ` It expires at ${request.expires_at}. By this machine's clock it is ${new Date().toISOString()}${byService}.`;
}

/**
 * Pays what a verified request asks for. The idempotency key is derived from the request, so paying the same link twice
 * pays once.
 */
export async function payOpenedRequest(
  context: Context,
  request: OpenedRequest,
  input: PayRequestInput,
  options: SendOptions & AttemptOptions,
): Promise<PaidRequest> {
  const { payment_request_id: id, status, details, payee, binding, asset } = request;
  const { most, clientSigned = context.hasWallet, ...rest } = input;
  const resumes = options.pending !== undefined;
  if (!resumes && (status === "paid" || status === "expired" || status === "cancelled")) {
    const times = status === "expired" ? expiryTimes(request) : "";
    throw new HalcyonError("payment_request_closed", `${CLOSED[status]}${times}`, { param: "link" });
  }
  const { decimals } = await context.asset(asset);
  if (most !== undefined && parseAmount(details.amount, decimals) > parseAmount(most, decimals)) {
    throw new HalcyonError("invalid_request", "The payment request asks for more than `most`. Nothing was sent.", {
      param: "most",
    });
  }
  const payment = { to: payee, amount: details.amount, asset, paymentRequest: id, binding, clientSigned, ...rest };
  const pay = context.homeKey !== undefined && !clientSigned ? sendBlind : send;
  const transfer = await pay(context, { ...payment, idempotencyKey: id, ...options });
  return { request, transfer };
}

/** Pays a link. Implements `paymentRequests.pay`. */
export async function payRequest(
  context: Context,
  link: string,
  input: PayRequestInput,
  options: SendOptions & AttemptOptions,
): Promise<PaidRequest> {
  return payOpenedRequest(context, await openRequest(context, link), input, options);
}
