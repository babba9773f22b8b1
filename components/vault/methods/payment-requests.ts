import type { PaymentRequest } from "@/sdk/api/resources/payment-requests";
import type { Context } from "@/sdk/context/context";
import { checkRequests } from "@/sdk/payment-requests/check-requests";
import { createRequest } from "@/sdk/payment-requests/create-request";
import { decryptRequest } from "@/sdk/payment-requests/decrypt-request";
import type { CreatePaymentRequestInput } from "@/sdk/payment-requests/request-input";

/** Of a request, what it takes to decrypt it: none of it changes. */
export type SealedPaymentRequest = Pick<
  PaymentRequest,
  "payment_request_id" | "payee" | "asset" | "asset_address" | "envelope" | "signature" | "link_key" | "expires_at"
>;

/** Link and content of a request of the account's; null where it can't be decrypted. */
export async function openPaymentRequest(context: Context, sealed: SealedPaymentRequest) {
  const unchanging = { status: "open", created_at: "", reference: null, paid_by: null, closed_at: null } as const;
  const { link, details } = await decryptRequest(context, { ...unchanging, payments: [], ...sealed });
  return { link, details };
}

/** Encrypts, signs and stores a request. Its link leaves the worker, to be shown. */
export function createPaymentRequest(context: Context, input: CreatePaymentRequestInput) {
  return createRequest(context, input);
}

/** Decrypts payments of requests and reports what they are. */
export function checkPaymentRequests(context: Context, { id }: { id?: string }) {
  return checkRequests(context, { id });
}
