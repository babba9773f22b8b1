"use client";

import { LockKeyhole } from "lucide-react";
import { messageOf } from "@/components/api/message-of";
import { Button } from "@/components/ui/button";
import { RetryCallout } from "@/components/ui/retry-callout";
import { useToast } from "@/components/ui/toast";
import type { AgentSpending } from "@/components/vault/methods/agent-spending";
import { type Opened, useVault } from "@/components/vault/vault-provider";

/** Says that figures are sealed, or why they do not open; nothing once they are open. */
export function UnlockBar({ spending }: { spending: Opened<AgentSpending[]> }) {
  const vault = useVault();
  const toast = useToast();
  if (vault.status !== "unlocked") {
    return (
      <div className="flex min-h-13 items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2 text-sm shadow-raised sm:px-5">
        <LockKeyhole size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <p className="min-w-0 flex-1 text-pretty">
          What agents spend is sealed. <span className="text-muted">One signature opens it, in this browser only.</span>
        </p>
        <Button size="small" busy={vault.status === "unlocking"} onClick={() => vault.unlock().catch(toast.failure)}>
          Unlock
        </Button>
      </div>
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
      title="Not everything could be opened."
      busy={spending.isFetching}
      onRetry={spending.refetch}
    >
      {problem}
    </RetryCallout>
  );
}
