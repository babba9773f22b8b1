"use client";

import { Amount } from "@/components/ui/amount";
import { useOpened, useVault } from "@/components/vault/vault-provider";
import type { PaymentRequestResource } from "@/lib/payment-requests/payment-request-resource";
import { sealedOf } from "./sealed-of";

/** What a request asks for, decrypted in this browser. */
export function useOpenedRequest(request: PaymentRequestResource) {
  const sealed = !useVault().reads;
  const { data, isError } = useOpened("openPaymentRequest", sealedOf(request));
  return { sealed, opened: isError ? { link: null, details: null } : data };
}

/** The amount of a request. */
export function RequestAmount({ request, className }: { request: PaymentRequestResource; className?: string }) {
  const { sealed, opened } = useOpenedRequest(request);
  const value = opened && (opened.details?.amount ?? null);
  return <Amount value={value} asset={request.asset} sealed={sealed} className={className} />;
}
