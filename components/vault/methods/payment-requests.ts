import type { PaymentRequest } from "@/sdk/api/resources/payment-requests";
import type { Context } from "@/sdk/context/context";
import { checkRequests } from "@/sdk/payments/requests/check-requests";
import { type EncryptedRequestBody, encryptRequest, storeRequest } from "@/sdk/payments/requests/create-request";
import { decryptRequest } from "@/sdk/payments/requests/decrypt-request";
import type { CreatePaymentRequestInput } from "@/sdk/payments/requests/request-input";

/** The parts of a request needed to decrypt it. They never change. */
export type EncryptedPaymentRequest = Pick<
  PaymentRequest,
  "payment_request_id" | "payee" | "asset" | "asset_address" | "envelope" | "signature" | "link_key" | "expires_at"
>;

/** Decrypts the link and content of one of the account's requests. Returns null if it can't be decrypted. */
export async function decryptPaymentRequest(context: Context, encrypted: EncryptedPaymentRequest) {
  const unchanging = { status: "open", created_at: "", reference: null, paid_by: null, closed_at: null } as const;
  const { link, details } = await decryptRequest(context, { ...unchanging, payments: [], ...encrypted });
  return { link, details };
}

/** Encrypts and signs a request. Its link's key leaves the worker, for the link. Stores nothing. */
export function encryptPaymentRequest(context: Context, input: CreatePaymentRequestInput) {
  return encryptRequest(context, input);
}

/** Stores an encrypted request. Safe to repeat. */
export function storePaymentRequest(context: Context, encrypted: EncryptedRequestBody) {
  return storeRequest(context, encrypted);
}

/** Decrypts payments of requests and reports the results to the service. */
export function checkPaymentRequests(context: Context, { id }: { id?: string }) {
  return checkRequests(context, { id });
}
