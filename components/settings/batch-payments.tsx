"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { Card } from "@/components/ui/card";
import { Switch } from "@/components/ui/checkbox";
import { useToast } from "@/components/ui/toast";
import type { OwnAccount } from "@/sdk/api/api-types";
import { ownAccountKey, useOwnAccount } from "./own-account";
import { WhatChanges } from "./what-changes";

/** Sets whether payments that wait for each other may go in one transaction. */
export function BatchPayments({ initial }: { initial: OwnAccount }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  const account = useOwnAccount(initial);
  const change = useMutation({
    mutationFn: (batch_payments: boolean) =>
      api(network).patch<OwnAccount>("/api/account-settings", { batch_payments }),
    onSuccess: (changed) => {
      client.setQueryData(ownAccountKey(network), changed);
      toast.success(
        changed.batch_payments ? "Waiting payments may be sent together" : "Each payment is sent by itself",
      );
    },
    onError: (error) => toast.failure(error),
  });
  // Shows the new value while it is being saved.
  const on = change.isPending ? change.variables : account.batch_payments;
  return (
    <Card id="batch-payments">
      <Switch
        label={<h2 className="font-medium text-[15px]">Send waiting payments together</h2>}
        hint="When your keys ask for many payments at once, up to 16 go in one transaction, which is faster."
        checked={on}
        disabled={change.isPending}
        onChange={(next) => change.mutate(next)}
      />
      <WhatChanges
        off={<>Each payment is a transaction of its own. Many payments at once take longer.</>}
        on={
          <>
            Anyone can see on chain which of your payments were sent together. Their amounts stay encrypted. A single
            payment never waits for others.
          </>
        }
      />
    </Card>
  );
}
