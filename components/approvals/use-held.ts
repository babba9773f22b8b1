"use client";

import type { QueryClient } from "@tanstack/react-query";
import type { DecryptedHeld } from "@/components/vault/methods/held";
import { decryptedKey, useDecrypted, useVault } from "@/components/vault/vault-provider";
import type { Network } from "@/lib/base/network";
import type { ApprovalAgent, WaitingPayment } from "./held-payment";

/** What is known of a held payment's encrypted text. `content` is undefined while decrypting. */
export interface HeldContent {
  encrypted: boolean;
  content: DecryptedHeld | undefined;
  /** Set if decrypting failed. A retry may succeed. */
  error: Error | null;
}

/** Decrypts what an agent asked for, while the vault is unlocked. */
export function useHeld(
  { transaction_id, asset, ciphertext, agent: handle, transfer_id }: WaitingPayment & { transfer_id?: string },
  agents: readonly ApprovalAgent[],
): HeldContent {
  const locked = useVault().status !== "unlocked";
  const agent = agents.find((each) => each.handle === handle)?.public_key;
  const { data, error } = useDecrypted(
    "held",
    { held: { transaction_id, asset, ciphertext, transfer_id }, agent: agent ?? "0x" },
    // An agent that was just created arrives with the next render.
    { enabled: agent !== undefined },
  );
  return { encrypted: locked, content: data, error };
}

/** Returns a held payment as decrypted on screen; undefined if it isn't. */
export function shownHeld(
  queries: QueryClient,
  network: Network,
  { transaction_id: id, ciphertext }: Pick<WaitingPayment, "transaction_id" | "ciphertext">,
): DecryptedHeld | undefined {
  const opened = queries.getQueryCache().findAll({ queryKey: decryptedKey(network, "held") });
  const named = opened.find(({ queryKey }) => {
    const { held } = queryKey[2] as { held: { transaction_id: string; ciphertext: string } };
    // Must be the very ciphertext that was shown: nothing else may be signed.
    return held.transaction_id === id && held.ciphertext === ciphertext;
  });
  return named?.state.data as DecryptedHeld | undefined;
}
