"use client";

import { LockKeyhole, LockKeyholeOpen, RefreshCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import { useToast } from "@/components/ui/toast";
import type { FundsOutput } from "@/components/vault/methods/funds";
import { type Opened, useVault } from "@/components/vault/vault-provider";
import { messageOf } from "../api/message-of";

/** One line that always says whether amounts are sealed, being opened or open; its height stays. */
export function OpeningBar({ funds }: { funds: Opened<FundsOutput> }) {
  const vault = useVault();
  const toast = useToast();
  if (vault.status !== "unlocked") {
    return (
      <Bar>
        <LockKeyhole size={16} aria-hidden="true" className="shrink-0 text-muted" />
        <p className="min-w-0 flex-1 text-pretty">
          Amounts are sealed. <span className="text-muted">One signature opens them, in this browser only.</span>
        </p>
        <Button size="small" busy={vault.status === "unlocking"} onClick={() => vault.unlock().catch(toast.failure)}>
          Unlock
        </Button>
      </Bar>
    );
  }
  if (funds.error) {
    return (
      <RetryCallout title="Your amounts could not be opened." busy={funds.isFetching} onRetry={funds.refetch}>
        {messageOf(funds.error)}
      </RetryCallout>
    );
  }
  if (!funds.data) {
    return (
      <Bar>
        <div className="flex-1">
          <Progress label="Opening amounts on this machine" {...funds.progress} />
        </div>
      </Bar>
    );
  }
  return (
    <Bar>
      <LockKeyholeOpen size={16} aria-hidden="true" className="shrink-0 text-success" />
      <p className="min-w-0 flex-1 text-pretty text-muted">
        Opened in this browser. The service does not see these amounts.
      </p>
      <Button
        size="small"
        tone="ghost"
        aria-label="Open again"
        icon={<RefreshCw size={14} aria-hidden="true" />}
        busy={funds.isFetching}
        onClick={() => funds.refetch()}
      />
    </Bar>
  );
}

function Bar({ children }: { children: React.ReactNode }) {
  return (
    <div className="flex min-h-13 items-center gap-3 rounded-xl border border-line bg-raised px-4 py-2 text-sm shadow-raised sm:px-5">
      {children}
    </div>
  );
}
