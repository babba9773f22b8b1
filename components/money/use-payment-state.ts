"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNetwork } from "@/components/api/network-context";
import type { Network } from "@/lib/base/network";
import type { PendingPayment } from "@/sdk/payments/attempts/pending-payment";
import type { FoundKept } from "./kept-payments";
import { usePayments } from "./payments-provider";

/** How often to ask the chain about a payment that the service calls failed, in milliseconds. */
const LOOK_MS = 3_000;

/** What the service says of an accepted payment. */
export type Status = "pending" | "confirmed" | "failed";

/** What is known of an accepted payment. `unknown`: the service calls it failed, and the chain does not show that. */
export type PaymentState = Status | "unknown";

/** The query-cache key of what the chain shows of a payment. Another document of it is looked for separately. */
export const onChainKey = (network: Network, pending: PendingPayment | undefined) =>
  [network, "outcome on chain", pending] as const;

/**
 * Returns what is known of an accepted payment. The service's `failed` proves nothing: it may have the document mined
 * nevertheless.
 *
 * @param shown what the chain shows
 */
export function paymentState(says: Status | undefined, shown: FoundKept | undefined): PaymentState {
  if (shown?.outcome === "nothing_moved") return "failed";
  if (shown?.outcome === "settled") return shown.final ? "confirmed" : "pending";
  return says === "failed" ? "unknown" : (says ?? "pending");
}

/**
 * Returns what is known of a payment that this browser made. Once the service calls it failed, asks the chain until
 * that shows the outcome. Meanwhile the payment is kept like one whose response was lost: it stands in the way of
 * another to the same place, and every page reports it once the dialog is closed.
 *
 * @param says what the service says; undefined until it responds
 * @param pending the payment's record; undefined if this browser has none
 */
export function usePaymentState(says: Status | undefined, pending: PendingPayment | undefined): PaymentState {
  const network = useNetwork();
  const { payments } = usePayments();
  const doubtful = says === "failed" && pending !== undefined;
  const { data: shown } = useQuery<FoundKept>({
    queryKey: onChainKey(network, pending),
    queryFn: async () => {
      const { checkPending } = await import("@/components/vault/check-pending");
      return checkPending(network, pending);
    },
    enabled: doubtful,
    retry: false,
    refetchInterval: ({ state: { data } }) => (isFinal(paymentState("failed", data)) ? false : LOOK_MS),
  });
  const standing = paymentState(says, shown);
  useEffect(() => {
    if (!doubtful) return;
    if (standing === "unknown") payments.doubt(pending);
    // The person sees the outcome here.
    if (isFinal(standing)) payments.forget(pending);
  }, [doubtful, standing, payments, pending]);
  return standing;
}

/** Returns whether nothing more is to be learned of it. */
export function isFinal(standing: PaymentState): boolean {
  return standing === "confirmed" || standing === "failed";
}
