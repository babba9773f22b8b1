"use client";

import { type UseMutationResult, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useCallback } from "react";
import { useNetwork } from "@/components/shell/network-context";
import type { InputOf, MethodName, OutputOf } from "@/components/vault/protocol";
import { openedKey, useVault } from "@/components/vault/vault-provider";

/** Has what is on screen opened and rendered again: money moved. */
export function useMoneyMoved(): () => void {
  const network = useNetwork();
  const queries = useQueryClient();
  const router = useRouter();
  return useCallback(() => {
    void queries.invalidateQueries({ queryKey: openedKey(network, "funds") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "agentSpending") });
    void queries.invalidateQueries({ queryKey: openedKey(network, "walletBalance") });
    void queries.invalidateQueries({ queryKey: [network, "/api/transfers"] });
    router.refresh();
  }, [network, queries, router]);
}

/** Runs a method that moves money; unlocks first when locked. */
export function useAct<M extends MethodName>(method: M): UseMutationResult<OutputOf<M>, Error, InputOf<M>> {
  const vault = useVault();
  const moved = useMoneyMoved();
  return useMutation<OutputOf<M>, Error, InputOf<M>>({
    mutationFn: (input) => vault.run(method, input),
    // A failure as well: part of it may have been done.
    onSettled: moved,
  });
}
