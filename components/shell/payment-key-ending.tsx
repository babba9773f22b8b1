"use client";

import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useRefresh } from "@/components/api/use-refresh";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Link } from "@/components/ui/link";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { paymentKeyTime } from "./payment-key-time";

/**
 * Says that the account's payment key expires, and lets the wallet renew it.
 *
 * @param until Unix seconds, as text
 * @param now milliseconds since 1970
 */
export function PaymentKeyEnding({ until, now }: { until: string; now: number }) {
  const vault = useVault();
  const network = useNetwork();
  const toast = useToast();
  const refresh = useRefresh();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [renewed, setRenewed] = useState<string>();
  const time = paymentKeyTime(until, now);
  // After a renewal, `until` stays old until the page renders again. Hide the notice, so that no one renews twice.
  if (!time || renewed === until) return null;
  const renew = () =>
    run(async () => {
      await vault.run("renewPaymentKey", undefined);
      setRenewed(until);
      toast.success("Your payment key is renewed", "It is valid for another year.");
      refresh();
    });
  return (
    <div className="mb-6">
      <Callout
        tone={time.state === "expired" ? "danger" : "warning"}
        title={time.title}
        action={
          time.state === "off" ? (
            <Link
              href={`/${network}/settings/security/emergency#rotate-secret`}
              className={buttonClass("secondary", "small")}
            >
              Rotate the account secret
            </Link>
          ) : (
            <Button size="small" busy={busy} onClick={renew}>
              Renew
            </Button>
          )
        }
      >
        {time.state === "off"
          ? "You switched your payment key off. The next account secret brings another; then resume your agents."
          : "It signs payments for you, your API keys and your approvals. Your wallet renews it for a year; keys, balances and agents stay as they are."}
        {error && (
          <span role="alert" className={`mt-1 block ${isUnknown ? "text-warning" : "text-danger"}`}>
            {error}
          </span>
        )}
      </Callout>
    </div>
  );
}
