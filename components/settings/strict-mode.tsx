"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { Card } from "@/components/ui/card";
import { Switch } from "@/components/ui/checkbox";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useToast } from "@/components/ui/toast";
import type { OwnAccount } from "@/sdk/api/api-types";
import { ownAccountKey, useOwnAccount } from "./own-account";
import { WhatChanges } from "./what-changes";

function ofKeys(count: number): string {
  if (count === 0) return "There is no active key now; new ones cannot pay by themselves either.";
  return count === 1
    ? "From now on, your one active key can't pay by itself."
    : `From now on, your ${count} active keys, including those of agents, can't pay by themselves.`;
}

/** Sets whether API keys may pay by themselves. */
export function StrictMode({ initial, activeKeys }: { initial: OwnAccount; activeKeys: number }) {
  const network = useNetwork();
  const client = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const { strict: on } = useOwnAccount(initial);
  const [asking, setAsking] = useState<boolean>();
  const [asked, setAsked] = useState(true);
  const change = async () => {
    const changed = await api(network).patch<OwnAccount>("/api/account-settings", { strict: asked });
    client.setQueryData(ownAccountKey(network), changed);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/keys") });
    router.refresh();
    toast.success(asked ? "Client-signed payments are required" : "Client-signed payments are optional");
  };
  return (
    <Card>
      <Switch
        label={
          <h2 className="font-medium text-[15px]" id="strict-mode">
            Require client-signed payments
          </h2>
        }
        hint="API keys can't pay by themselves; your device signs each payment. The service never gets the secret of your balance, not even during a payment."
        checked={on}
        onChange={(next) => {
          setAsking(next);
          setAsked(next);
        }}
      />
      <WhatChanges
        off={
          <>
            A key pays with one line of curl. For that request, the server decrypts your available balance in memory
            with what the key unlocks.
          </>
        }
        on={
          <>
            Keys read, and submit payments that your own client signed (the SDK, the command line or this dashboard,
            with your wallet). A server-signed payment returns <code className="font-mono text-xs">key_forbidden</code>.
          </>
        }
      />
      <ConfirmDialog
        open={asking !== undefined}
        onClose={() => setAsking(undefined)}
        title={asked ? "Require client-signed payments?" : "Allow server-signed payments?"}
        keep={asked ? "Leave off" : "Leave on"}
        confirm={asked ? "Turn on" : "Turn off"}
        tone={asked ? "danger" : "primary"}
        onConfirm={change}
      >
        {asked ? (
          <>
            <p>
              {ofKeys(activeKeys)} Programs and agents that pay with a key are refused from their next payment on; they
              can still read.
            </p>
            <p>Turning it off later does not bring those keys back: you create new ones.</p>
          </>
        ) : (
          <p>
            Keys you create from now on can pay by themselves again. Existing keys stay as they are: they read and can't
            pay.
          </p>
        )}
      </ConfirmDialog>
    </Card>
  );
}
