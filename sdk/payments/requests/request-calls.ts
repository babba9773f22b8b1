import type { HttpRequest } from "../../api/http";
import { requireSameId } from "../../api/require-same-id";
import type { PaymentRequest, PaymentRequestList, ReportPayment } from "../../api/resources/payment-requests";
import { callApi } from "../../context/call-api";
import type { Context } from "../../context/context";

const PATH = "/v1/payment-requests";

function post<T>(context: Context, path: string, json: object, idempotencyKey: string): Promise<T> {
  return callApi<T>(context, "POST", `${PATH}${path}`, { json, idempotencyKey });
}

const at = (id: string) => `/${encodeURIComponent(id)}`;

/** Reads a page of the account's requests. */
export function readRequests(context: Context, query: NonNullable<HttpRequest["query"]>): Promise<PaymentRequestList> {
  return callApi(context, "GET", PATH, { query });
}

/** Reads one of the account's requests. */
export function readRequest(context: Context, id: string): Promise<PaymentRequest> {
  return requireSameId("payment_request_id", id, callApi<PaymentRequest>(context, "GET", `${PATH}${at(id)}`));
}

/** Stores a request. Its id makes repeats safe. */
export function postRequest(context: Context, body: { payment_request_id: string }): Promise<PaymentRequest> {
  const { payment_request_id: id } = body;
  return requireSameId("payment_request_id", id, post<PaymentRequest>(context, "", body, id));
}

/** Cancels a request. */
export function postCancel(context: Context, id: string, key: string = crypto.randomUUID()): Promise<PaymentRequest> {
  return requireSameId("payment_request_id", id, post<PaymentRequest>(context, `${at(id)}/cancel`, {}, key), true);
}

/** Reports the result of checking a payment. Repeating it changes nothing. */
export function postReport(context: Context, id: string, report: ReportPayment): Promise<PaymentRequest> {
  const key = crypto.randomUUID();
  return requireSameId("payment_request_id", id, post<PaymentRequest>(context, `${at(id)}/report`, report, key), true);
}
