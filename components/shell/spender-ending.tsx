"use client";

import { useState } from "react";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { spenderTime } from "./spender-time";

/**
 * Says that the account's spending key expires, with the remedy: the wallet renews it.
 *
 * @param until Unix seconds, as text
 * @param now milliseconds, as `Date.now` says
 */
export function SpenderEnding({ until, now }: { until: string; now: number }) {
  const vault = useVault();
  const toast = useToast();
  const refresh = useRefresh();
  const { busy, error, run } = useAsyncAction();
  const [renewed, setRenewed] = useState<string>();
  const time = spenderTime(until, now);
  // Rendered again, the page has the new time; until then no one renews it twice.
  if (!time || renewed === until) return null;
  const renew = () =>
    run(async () => {
      await vault.run("renewSpender", undefined);
      setRenewed(until);
      toast.success("Your spending key is renewed", "It is good for another year.");
      refresh();
    });
  return (
    <div className="mb-6">
      <Callout
        tone={time.expired ? "danger" : "warning"}
        title={time.title}
        action={
          <Button size="small" busy={busy} onClick={renew}>
            Renew
          </Button>
        }
      >
        It signs payments for you, your API keys and your approvals. Your wallet renews it for a year; keys, balances
        and agents stay as they are.
        {error && (
          <span role="alert" className="mt-1 block text-danger">
            {error}
          </span>
        )}
      </Callout>
    </div>
  );
}
