"use client";

import { Amount } from "@/components/ui/amount";
import type { EncryptedPaymentRequest } from "@/components/vault/methods/payment-requests";
import { useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { PaymentRequestResource } from "@/lib/payments/requests/payment-request-resource";
import { readStateOf } from "./read-state";

/** Decrypts a request in this browser and checks it with the chain. */
export function useOpenedRequest(request: PaymentRequestResource) {
  const encrypted = !useVault().reads;
  const { data, error, isFetching, refetch } = useDecrypted("decryptPaymentRequest", encryptedOf(request));
  const state = readStateOf({ encrypted, opened: data, error });
  return { encrypted, state, opened: data, error, isFetching, refetch };
}

/** The amount of a request. */
export function RequestAmount({ request, className }: { request: PaymentRequestResource; className?: string }) {
  const { encrypted, state, opened } = useOpenedRequest(request);
  const value = state === "decrypting" ? undefined : (opened?.details?.amount ?? null);
  return <Amount value={value} asset={request.asset} encrypted={encrypted} className={className} />;
}

/**
 * Returns the parts of a request that payments don't change. They identify the decrypted result, so that it is
 * decrypted once.
 */
function encryptedOf(request: PaymentRequestResource): EncryptedPaymentRequest {
  const { payment_request_id, payee, asset, asset_address, envelope, signature, link_key, expires_at } = request;
  return { payment_request_id, payee, asset, asset_address, envelope, signature, link_key, expires_at };
}
