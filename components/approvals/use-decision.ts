"use client";

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/shell/network-context";
import type { Accepted } from "@/components/vault/methods/send";
import { openedKey, useVault } from "@/components/vault/vault-provider";
import type { HeldDetails } from "./held-payment";

/** Which payment, as it was shown. */
type Decided = Pick<HeldDetails, "transaction_id" | "sealed">;

export interface Decision {
  approving: UseMutationResult<Accepted, Error, Decided>;
  rejecting: UseMutationResult<unknown, Error, Decided>;
}

/** The two decisions. Nothing on screen changes before the service has answered; then all of it is asked for again. */
export function useDecision(): Decision {
  const network = useNetwork();
  const vault = useVault();
  const queries = useQueryClient();
  const router = useRouter();
  // After a failure as well: somebody else may have decided.
  const onSettled = () => {
    router.refresh();
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "agentSpending") });
    void queries.invalidateQueries({
      predicate: ({ queryKey: [of, path] }) => of === network && String(path).startsWith("/api/agents/transactions"),
    });
  };
  const approving = useMutation<Accepted, Error, Decided>({
    mutationFn: ({ transaction_id, sealed }) => vault.run("approveHeld", { id: transaction_id, sealed }),
    onSettled,
  });
  const rejecting = useMutation<unknown, Error, Decided>({
    mutationFn: ({ transaction_id }) => api(network).post(`/api/agents/transactions/${transaction_id}/reject`),
    onSettled,
  });
  return { approving, rejecting };
}
