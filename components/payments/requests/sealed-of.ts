import type { SealedPaymentRequest } from "@/components/vault/methods/payment-requests";
import type { PaymentRequestResource } from "@/lib/payments/requests/payment-request-resource";

/**
 * Returns the parts of a request that payments don't change. They identify the decrypted result, so that it is
 * decrypted once.
 */
export function sealedOf(request: PaymentRequestResource): SealedPaymentRequest {
  const { payment_request_id, payee, asset, asset_address, envelope, signature, link_key, expires_at } = request;
  return { payment_request_id, payee, asset, asset_address, envelope, signature, link_key, expires_at };
}
