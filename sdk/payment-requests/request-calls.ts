import { HalcyonError } from "../api/errors";
import type { HttpRequest } from "../api/http";
import type { PaymentRequest, PaymentRequestList, ReportPayment } from "../api/resources/payment-requests";
import type { Context } from "../context/context";

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

/** Refuses another request than the one that was asked for. */
async function only(id: string, asked: Promise<PaymentRequest>): Promise<PaymentRequest> {
  const request = await asked;
  if (request.payment_request_id === id) return request;
  throw new HalcyonError("unavailable", `The service returned another payment request than ${id}.`);
}

/** Reads one of the account's requests. */
export function readRequest(context: Context, id: string): Promise<PaymentRequest> {
  return only(id, get(context, at(id)));
}

/** Stores a request. Its id makes repeats safe. */
export function postRequest(context: Context, body: { payment_request_id: string }): Promise<PaymentRequest> {
  return post(context, "", body, body.payment_request_id);
}

/** Cancels a request. */
export function postCancel(context: Context, id: string, key: string = crypto.randomUUID()): Promise<PaymentRequest> {
  return only(id, post(context, `${at(id)}/cancel`, {}, key));
}

/** Reports the result of checking a payment. Repeating it changes nothing. */
export function postReport(context: Context, id: string, report: ReportPayment): Promise<PaymentRequest> {
  return only(id, post(context, `${at(id)}/report`, report, crypto.randomUUID()));
}
