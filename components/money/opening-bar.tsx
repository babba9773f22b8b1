"use client";

import { LockKeyholeOpen, RefreshCw } from "lucide-react";
import { Button } from "@/components/ui/button";
import { Progress } from "@/components/ui/progress";
import { RetryCallout } from "@/components/ui/retry-callout";
import { Time } from "@/components/ui/time";
import { useSlow } from "@/components/ui/use-slow";
import { BAR, EncryptedBar } from "@/components/vault/encrypted-bar";
import type { FundsOutput } from "@/components/vault/methods/funds";
import { type DecryptedQuery, useVault, useVaultOwner } from "@/components/vault/vault-provider";
import { messageOf } from "../api/message-of";
import { useTotalsShownAt } from "./totals-shown";

/** How long a time of day alone says which one it is. */
const HALF_A_DAY_MS = 43_200_000;

/** When the balances on the page were decrypted. Of an earlier day, with the day. */
function AsOf({ at }: { at: number }) {
  return <Time value={new Date(at).toISOString()} clock={Date.now() - at < HALF_A_DAY_MS} />;
}

/** One line that says whether amounts are encrypted, being decrypted or decrypted. Its height never changes. */
export function OpeningBar({ funds }: { funds: DecryptedQuery<FundsOutput> }) {
  const vault = useVault();
  const shown = useTotalsShownAt(useVaultOwner());
  const { shown: earlier } = vault;
  if (vault.status !== "unlocked" && earlier) {
    const opens =
      vault.status === "showing"
        ? "The chain can't be reached. Trying again."
        : "Your wallet signs before you pay or see newer ones.";
    return (
      <EncryptedBar shows opens={opens}>
        Balances as of <AsOf at={earlier.at} />.
      </EncryptedBar>
    );
  }
  if (vault.status !== "unlocked") {
    // After a reload, payments can be read, and balances only if they were decrypted before it.
    const what = vault.reads ? "Balances are encrypted." : "Amounts are encrypted.";
    return <EncryptedBar opens="One signature decrypts them, in this browser only.">{what}</EncryptedBar>;
  }
  if (funds.error) {
    return (
      <RetryCallout
        title={funds.data ? "Your amounts could not be decrypted again." : "Your amounts could not be decrypted."}
        busy={funds.isFetching}
        onRetry={funds.refetch}
      >
        {messageOf(funds.error)} {(funds.data || earlier) && "Below is what was decrypted before."}
      </RetryCallout>
    );
  }
  if (!funds.data) return <Decrypting {...funds.progress} />;
  return (
    <div className={BAR}>
      <LockKeyholeOpen size={16} aria-hidden="true" className="shrink-0 text-success" />
      <p className="min-w-0 flex-1 text-pretty text-muted">
        Decrypted in this browser.{" "}
        {shown ? (
          <>
            You showed the service your totals on <Time value={shown} />.
          </>
        ) : (
          "Decrypting shows the service none of these amounts."
        )}
      </p>
      <Button
        size="small"
        tone="ghost"
        aria-label="Decrypt again"
        icon={<RefreshCw size={14} aria-hidden="true" />}
        busy={funds.isFetching}
        onClick={() => funds.refetch()}
      />
    </div>
  );
}

/** The client retries for half a minute if the service is unavailable. Says that it is still trying. */
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
