"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { NEW_POLICY } from "@/components/policy/draft";
import type { OwnLimits } from "@/components/policy/own-policy";
import { PolicyEdit } from "@/components/policy/policy-edit";
import { useVault } from "@/components/vault/vault-provider";
import type { OwnAccount } from "@/sdk/api/api-types";
import { ownAccountKey } from "./own-account";

/**
 * Edits the account's own policy. The wallet signs the change.
 *
 * @param initial null if there are no limits yet
 */
export function KeyLimitsEdit({ initial }: { initial: OwnLimits | null }) {
  const network = useNetwork();
  const queries = useQueryClient();
  const vault = useVault();
  // The resource does not exist while there are no limits.
  const { data } = useResource<OwnLimits>("/api/limits", { initial: initial ?? undefined, enabled: initial !== null });
  const stored = initial && (data ?? initial);
  return (
    <PolicyEdit
      stored={stored ?? NEW_POLICY}
      updatedAt={stored?.updated_at}
      isNew={stored === null}
      words={{
        unsaved: "The limits of your keys stay as they were.",
        ask: "Save these limits?",
        holds: "They apply from the next payment of your account, everywhere.",
        save: "Save limits",
        saved: "Limits saved",
      }}
      save={async (fields) => {
        await vault.run("setLimits", { fields });
        // The chain has the limits already, but the service's index may be a block behind.
        queries.setQueryData<OwnAccount>(
          ownAccountKey(network),
          (account) => account && { ...account, guarded: true, limited: true },
        );
        await queries.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/limits") });
      }}
      home={`/${network}/settings/security`}
    />
  );
}
