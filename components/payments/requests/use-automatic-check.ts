"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useVault } from "@/components/vault/vault-provider";
import type { PaymentRequestResource } from "@/lib/payments/requests/payment-request-resource";

/** Returns the ids of final payments that are not checked yet. */
const toCheck = (requests: readonly PaymentRequestResource[]) =>
  requests.flatMap(({ payments }) =>
    payments.flatMap(({ transfer_id, state, status }) =>
      state === "unchecked" && status === "confirmed" ? [transfer_id] : [],
    ),
  );

/**
 * Checks payments automatically while the account is unlocked. Tries each once; the row says why one could not be
 * checked.
 */
export function useAutomaticCheck(requests: readonly PaymentRequestResource[]): void {
  const network = useNetwork();
  const queries = useQueryClient();
  const { status, run } = useVault();
  const tried = useRef(new Set<string>());
  const waiting = toCheck(requests).join();
  useEffect(() => {
    const fresh = waiting.split(",").filter((id) => id !== "" && !tried.current.has(id));
    if (status !== "unlocked" || fresh.length === 0) return;
    for (const id of fresh) tried.current.add(id);
    const refresh = () => queries.invalidateQueries({ predicate: resourceKeys.below(network, "/v1/payment-requests") });
    void run("checkPaymentRequests", {}).then(refresh, () => {});
  }, [waiting, status, run, queries, network]);
}
