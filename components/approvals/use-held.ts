"use client";

import type { QueryClient } from "@tanstack/react-query";
import type { OpenedHeld } from "@/components/vault/methods/held";
import { openedKey, useOpened, useVault } from "@/components/vault/vault-provider";
import type { Network } from "@/lib/network";
import type { ApprovalAgent, WaitingPayment } from "./held-payment";

/** What is known of a held payment's text: `content` is undefined while it is being decrypted. */
export interface HeldContent {
  sealed: boolean;
  content: OpenedHeld | undefined;
  /** It could not be decrypted now; asked again it may. */
  error: Error | null;
}

/** What an agent asked for, decrypted in this browser while it is unlocked. */
export function useHeld(
  { transaction_id, asset, sealed, agent: handle, transfer_id }: WaitingPayment & { transfer_id?: string },
  agents: readonly ApprovalAgent[],
): HeldContent {
  const locked = useVault().status !== "unlocked";
  const agent = agents.find((each) => each.handle === handle)?.public_key;
  const { data, error } = useOpened(
    "held",
    { held: { transaction_id, asset, sealed, transfer_id }, agent: agent ?? "0x" },
    // An agent created a moment ago comes with the next rendering.
    { enabled: agent !== undefined },
  );
  return { sealed: locked, content: data, error };
}

/** What of a held payment is on screen, decrypted; undefined where it is not. */
export function shownHeld(
  queries: QueryClient,
  network: Network,
  { transaction_id: id, sealed }: Pick<WaitingPayment, "transaction_id" | "sealed">,
): OpenedHeld | undefined {
  const opened = queries.getQueryCache().findAll({ queryKey: openedKey(network, "held") });
  const named = opened.find(({ queryKey }) => {
    const { held } = queryKey[2] as { held: { transaction_id: string; sealed: string } };
    // The very text that was shown: another one is not what is signed.
    return held.transaction_id === id && held.sealed === sealed;
  });
  return named?.state.data as OpenedHeld | undefined;
}
