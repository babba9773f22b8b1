import type { HttpRequest } from "../../api/http";
import { only } from "../../api/only";
import type { PaymentRequest, PaymentRequestList, ReportPayment } from "../../api/resources/payment-requests";
import type { Context } from "../../context/context";

/** Reads a route of the payee, over the wallet's session or else with the API key. */
async function get<T>(context: Context, path: string, query?: HttpRequest["query"]): Promise<T> {
  if (context.hasWallet) return (await context.session()).get<T>(`/api/payment-requests${path}`, query);
  const request = { headers: context.bearer, ...(query && { query }) };
  return (await context.http.send("GET", `/v1/payment-requests${path}`, request)).body as T;
}

async function post<T>(context: Context, path: string, json: object, idempotencyKey: string): Promise<T> {
  if (context.hasWallet) return (await context.session()).post<T>(`/api/payment-requests${path}`, json);
  const headers = { ...context.bearer, "idempotency-key": idempotencyKey };
  return (await context.http.send("POST", `/v1/payment-requests${path}`, { json, headers })).body as T;
}

const at = (id: string) => `/${encodeURIComponent(id)}`;

/** Reads a page of the account's requests. */
export function readRequests(context: Context, query: NonNullable<HttpRequest["query"]>): Promise<PaymentRequestList> {
  return get(context, "", query);
}

/** Reads one of the account's requests. */
export function readRequest(context: Context, id: string): Promise<PaymentRequest> {
  return only("payment_request_id", id, get<PaymentRequest>(context, at(id)));
}

/** Stores a request. Its id makes repeats safe. */
export function postRequest(context: Context, body: { payment_request_id: string }): Promise<PaymentRequest> {
  const { payment_request_id: id } = body;
  return only("payment_request_id", id, post<PaymentRequest>(context, "", body, id));
}

/** Cancels a request. */
export function postCancel(context: Context, id: string, key: string = crypto.randomUUID()): Promise<PaymentRequest> {
  return only("payment_request_id", id, post<PaymentRequest>(context, `${at(id)}/cancel`, {}, key), true);
}

/** Reports the result of checking a payment. Repeating it changes nothing. */
export function postReport(context: Context, id: string, report: ReportPayment): Promise<PaymentRequest> {
  const key = crypto.randomUUID();
  return only("payment_request_id", id, post<PaymentRequest>(context, `${at(id)}/report`, report, key), true);
}
