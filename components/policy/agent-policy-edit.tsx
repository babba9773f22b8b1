"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useResource } from "@/components/api/use-resource";
import { useVault } from "@/components/vault/vault-provider";
import { agentToSign } from "@/components/wallet/agent-to-sign";
import { signingFor } from "@/components/wallet/signing-for";
import type { OwnPolicy } from "./own-policy";
import { PolicyEdit } from "./policy-edit";
import { TryPolicy } from "./try-policy";

/** Edits an agent's policy. Tests it on the agent's past payments and signs it, in this browser. */
export function AgentPolicyEdit({ agentId, handle, initial }: { agentId: string; handle: string; initial: OwnPolicy }) {
  const network = useNetwork();
  const queries = useQueryClient();
  const vault = useVault();
  const path = `/v1/agents/${agentId}/spend-policy` as const;
  const { data: stored = initial } = useResource<OwnPolicy>(path, { query: { include: "ledger" }, initial });
  return (
    <PolicyEdit
      stored={stored}
      updatedAt={stored.updated_at}
      words={{
        unsaved: `The policy of ${handle} stays as it was before you edited it.`,
        ask: "Save this policy?",
        holds: `It applies from the next payment of ${handle}, everywhere.`,
        save: "Save policy",
        saved: "Policy saved",
      }}
      save={async (fields) => {
        await signingFor(agentToSign("policy", handle), () => vault.run("setPolicy", { agent: handle, fields }));
        await queries.invalidateQueries({ queryKey: resourceKeys.one(network, path) });
      }}
      trial={(rules) => <TryPolicy agent={agentId} policy={rules} />}
      home={`/${network}/agents/${agentId}`}
    />
  );
}
