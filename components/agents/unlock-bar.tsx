"use client";

import { messageOf } from "@/components/api/message-of";
import { RetryCallout } from "@/components/ui/retry-callout";
import { EncryptedBar } from "@/components/vault/encrypted-bar";
import type { AgentSpending } from "@/components/vault/methods/agent-spending";
import { type DecryptedQuery, useVault } from "@/components/vault/vault-provider";

/** Says that figures are encrypted, or why they can't be decrypted. Renders nothing once they are decrypted. */
export function UnlockBar({ spending }: { spending: DecryptedQuery<AgentSpending[]> }) {
  const vault = useVault();
  if (vault.status !== "unlocked") {
    return (
      <EncryptedBar opens="One signature decrypts it, in this browser only.">
        What agents spend is encrypted.
      </EncryptedBar>
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
