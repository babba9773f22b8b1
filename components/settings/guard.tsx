"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { useRefresh } from "@/components/api/use-refresh";
import { Spinner } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { Switch } from "@/components/ui/checkbox";
import { ErrorCallout } from "@/components/ui/error-callout";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import type { OwnAccount } from "@/sdk/api/api-types";
import { ownAccountKey, useOwnAccount } from "./own-account";
import { WhatChanges } from "./what-changes";

/**
 * Turns guard on or off: whether changing policies and moving money to and from agents needs the wallet's signature.
 * The wallet signs the change.
 */
export function Guard({ initial }: { initial: OwnAccount }) {
  const vault = useVault();
  const network = useNetwork();
  const client = useQueryClient();
  const refresh = useRefresh();
  const toast = useToast();
  const data = useOwnAccount(initial);
  const { busy, error, isUnknown, run } = useAsyncAction();
  const [wanted, setWanted] = useState(false);
  const { guarded, limited } = data;
  const change = (on: boolean) =>
    run(async () => {
      setWanted(on);
      await vault.run("setGuard", { on });
      client.setQueryData(ownAccountKey(network), { ...data, guarded: on });
      toast.success(on ? "Guard is on" : "Guard is off");
      refresh();
    });
  return (
    <Card>
      <div id="guard" className="scroll-mt-24">
        <Switch
          label={<h2 className="font-medium text-[15px]">Guard</h2>}
          hint="Only your wallet changes the policies of your agents, and moves money between you and them. The chain enforces it."
          checked={guarded}
          disabled={busy || limited}
          onChange={change}
        />
      </div>
      {busy && (
        <p role="status" className="mt-3 flex items-center gap-2 text-muted text-sm">
          <Spinner />
          {wanted ? "Turning Guard on. " : "Turning Guard off. "}Your wallet signs, then it takes effect on the chain.
        </p>
      )}
      {error && (
        <div className="mt-3">
          <ErrorCallout
            isUnknown={isUnknown}
            failed={wanted ? "Guard was not turned on." : "Guard was not turned off."}
          >
            {error}
          </ErrorCallout>
        </div>
      )}
      {limited && (
        <p className="mt-3 text-pretty text-muted text-sm">
          The limits of your keys need Guard. Remove them below before you turn it off.
        </p>
      )}
      <WhatChanges
        off={
          <>
            API keys of your account change policies and fund agents. Someone who takes over Halcyon's servers while
            they serve such a key can do the same: loosen a policy, or spend what your agents hold.
          </>
        }
        on={
          <>
            Someone who takes over the servers stays within each agent's limits. An API key that changes a policy or
            funds an agent gets <code className="font-mono text-xs">key_forbidden</code>; pausing still works.
          </>
        }
      />
    </Card>
  );
}
