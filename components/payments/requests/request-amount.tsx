"use client";

import { Amount } from "@/components/ui/amount";
import type { SealedPaymentRequest } from "@/components/vault/methods/payment-requests";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import type { PaymentRequestResource } from "@/lib/payments/requests/payment-request-resource";
import { readStateOf } from "./read-state";

/** Decrypts a request in this browser and checks it with the chain. */
export function useOpenedRequest(request: PaymentRequestResource) {
  const sealed = !useVault().reads;
  const { data, error, isFetching, refetch } = useOpened("openPaymentRequest", sealedOf(request));
  const state = readStateOf({ sealed, opened: data, error });
  return { sealed, state, opened: data, error, isFetching, refetch };
}

/** The amount of a request. */
export function RequestAmount({ request, className }: { request: PaymentRequestResource; className?: string }) {
  const { sealed, state, opened } = useOpenedRequest(request);
  const value = state === "decrypting" ? undefined : (opened?.details?.amount ?? null);
  return <Amount value={value} asset={request.asset} sealed={sealed} className={className} />;
}

/**
 * Returns the parts of a request that payments don't change. They identify the decrypted result, so that it is
 * decrypted once.
 */
function sealedOf(request: PaymentRequestResource): SealedPaymentRequest {
  const { payment_request_id, payee, asset, asset_address, envelope, signature, link_key, expires_at } = request;
  return { payment_request_id, payee, asset, asset_address, envelope, signature, link_key, expires_at };
}
