"use client";

import { messageOf } from "@/components/api/message-of";
import { RetryCallout } from "@/components/ui/retry-callout";
import type { AgentSpending } from "@/components/vault/methods/agent-spending";
import { SealedBar } from "@/components/vault/sealed-bar";
import { type DecryptedQuery, useVault } from "@/components/vault/vault-provider";

/** Says that figures are encrypted, or why they can't be decrypted. Renders nothing once they are decrypted. */
export function UnlockBar({ spending }: { spending: DecryptedQuery<AgentSpending[]> }) {
  const vault = useVault();
  if (vault.status !== "unlocked") {
    return (
      <SealedBar opens="One signature decrypts it, in this browser only.">What agents spend is encrypted.</SealedBar>
    );
  }
  const failed = spending.data?.find(({ error }) => error !== null);
  const problem = spending.error
    ? messageOf(spending.error)
    : failed?.error && `${failed.handle}: ${failed.error.message}`;
  if (!problem) return null;
  return (
    <RetryCallout
      tone="warning"
      title="Not everything could be decrypted."
      busy={spending.isFetching}
      onRetry={spending.refetch}
    >
      {problem}
    </RetryCallout>
  );
}
