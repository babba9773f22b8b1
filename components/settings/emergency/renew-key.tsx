"use client";

import { useState } from "react";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { ErrorCallout } from "@/components/ui/error-callout";
import { Time } from "@/components/ui/time";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { EmergencyCard } from "./emergency-card";

/**
 * Moves the payment key's end a year ahead.
 *
 * @param until when the payment key ends, ISO 8601; null while it is switched off
 */
export function RenewKey({ until }: { until: string | null }) {
  const vault = useVault();
  const refresh = useRefresh();
  const [renewed, setRenewed] = useState<string>();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const renew = () =>
    run(async () => {
      setRenewed((await vault.run("renewPaymentKey", undefined)).payment_key_until);
      refresh();
    });
  return (
    <EmergencyCard
      id="renew-key"
      title="Renew the payment key"
      description={
        until === null ? (
          "It is switched off: rotate the account secret above to have one again."
        ) : (
          <>
            For payments refused because the key has expired. It is valid until <Time value={until} day />; renewing it
            gives it another year from now.
          </>
        )
      }
      takes="Seconds"
      needs="1 signature"
      afterwards="Nothing. Keys, balances and agents stay as they are."
      action={
        <Button data-early busy={busy} disabled={until === null} onClick={renew}>
          Renew
        </Button>
      }
    >
      {error && (
        <ErrorCallout isUnknown={isUnknown} failed="The payment key was not renewed.">
          {error}
        </ErrorCallout>
      )}
      {renewed && !error && (
        <div role="status">
          <Callout tone="success" title="The payment key is renewed.">
            It is valid until <Time value={renewed} day />.
          </Callout>
        </div>
      )}
    </EmergencyCard>
  );
}
