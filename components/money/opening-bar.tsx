"use client";

import { LockKeyholeOpen, RefreshCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import { useSlow } from "@/components/ui/use-slow";
import type { FundsOutput } from "@/components/vault/methods/funds";
import { BAR, SealedBar } from "@/components/vault/sealed-bar";
import { type Opened, useVault } from "@/components/vault/vault-provider";
import { messageOf } from "../api/message-of";

/** One line that always says whether amounts are encrypted, being decrypted or open; its height stays. */
export function OpeningBar({ funds }: { funds: Opened<FundsOutput> }) {
  const vault = useVault();
  if (vault.status !== "unlocked") {
    return <SealedBar opens="One signature decrypts them, in this browser only.">Amounts are encrypted.</SealedBar>;
  }
  if (funds.error) {
    return (
      <RetryCallout
        title={funds.data ? "Your amounts could not be opened again." : "Your amounts could not be decrypted."}
        busy={funds.isFetching}
        onRetry={funds.refetch}
      >
        {messageOf(funds.error)} {funds.data && "Below is what was opened before."}
      </RetryCallout>
    );
  }
  if (!funds.data) return <Decrypting {...funds.progress} />;
  return (
    <div className={BAR}>
      <LockKeyholeOpen size={16} aria-hidden="true" className="shrink-0 text-success" />
      <p className="min-w-0 flex-1 text-pretty text-muted">
        Decrypted in this browser. The service does not see these amounts.
      </p>
      <Button
        size="small"
        tone="ghost"
        aria-label="Open again"
        icon={<RefreshCw size={14} aria-hidden="true" />}
        busy={funds.isFetching}
        onClick={() => funds.refetch()}
      />
    </div>
  );
}

/** The client asks again for half a minute when the service is away: it says that it still does. */
function Decrypting(progress: { done?: number; total?: number }) {
  const slow = useSlow();
  return (
    <div className={BAR}>
      <div className="flex-1">
        <Progress
          label={slow ? "This takes longer than usual. Still trying." : "Decrypting amounts on this device"}
          {...progress}
        />
      </div>
    </div>
  );
}
