"use client";

import { useQueryClient } from "@tanstack/react-query";
import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";
import { useResource } from "@/components/api/use-resource";
import type { OwnLimits } from "@/components/policy/own-policy";
import { Button, buttonClass } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { Card } from "@/components/ui/card";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Link } from "@/components/ui/link";
import { onDemand } from "@/components/ui/on-demand";
import { useToast } from "@/components/ui/toast";
import { useVault } from "@/components/vault/vault-provider";
import type { OwnAccount } from "@/sdk/api/api-types";
import { ownAccountKey } from "./own-account";

/** Only accounts with limits need the words of every rule. */
const PolicySentence = onDemand(async () => (await import("@/components/policy/policy-sentence")).PolicySentence);
const PolicyFacts = onDemand(async () => (await import("@/components/policy/policy-facts")).PolicyFacts);

const TITLE = "Limits of your keys";
const SAYS =
  "A spend policy for your own account. Within it, your API keys and this browser pay by themselves; beyond it, your wallet signs each payment.";

/** Shows and removes the account's own policy. Its editor is a separate page. */
export function KeyLimits({ initial }: { initial: OwnLimits | null }) {
  const vault = useVault();
  const network = useNetwork();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const toast = useToast();
  const [removing, setRemoving] = useState(false);
  // The resource does not exist while there are no limits. It is read once there are some.
  const { data } = useResource<OwnLimits>("/api/limits", { initial: initial ?? undefined, enabled: initial !== null });
  const limits = initial && (data ?? initial);
  const editor = (name: string) => (
    <Link href={`/${network}/settings/security/limits`} className={buttonClass("secondary", "small")}>
      <SlidersHorizontal size={14} aria-hidden="true" />
      {name}
    </Link>
  );
  const remove = async () => {
    await vault.run("clearLimits", undefined);
    queries.removeQueries({ queryKey: resourceKeys.collection(network, "/api/limits") });
    queries.setQueryData<OwnAccount>(ownAccountKey(network), (account) => account && { ...account, limited: false });
    toast.success("Limits removed", "Your keys pay from all of your available balance.");
    refresh();
  };
  if (!limits) {
    return <Card title={TITLE} description={`${SAYS} Setting them turns Guard on.`} action={editor("Set limits")} />;
  }
  return (
    <Card
      title={TITLE}
      description={SAYS}
      action={
        <div className="flex gap-2">
          <Button data-early size="small" onClick={() => setRemoving(true)}>
            Remove
          </Button>
          {editor("Edit limits")}
        </div>
      }
    >
      <div className="grid gap-3">
        {limits.in_force === "no" && (
          <Callout tone="danger" title="These limits are not in force: your keys pay nothing.">
            The chain does not have the limits that are shown here. Edit and save them, and your wallet signs them
            again; or remove them.
          </Callout>
        )}
        <div className="grid min-h-110 content-start gap-3">
          <PolicySentence policy={limits} />
          <PolicyFacts policy={limits} />
        </div>
      </div>
      <ConfirmDialog
        open={removing}
        onClose={() => setRemoving(false)}
        title="Remove the limits of your keys?"
        keep="Keep limits"
        confirm="Remove limits"
        failed="They were not removed."
        onConfirm={remove}
      >
        <p>
          Your API keys then pay from all of your available balance, as before. Guard stays on until you turn it off.
          Your wallet signs this, and once more for each asset that your keys have spent under the limits.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
