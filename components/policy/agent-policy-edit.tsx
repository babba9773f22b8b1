"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useVault } from "@/components/vault/vault-provider";
import type { OwnPolicy } from "./own-policy";
import { PolicyEdit } from "./policy-edit";
import { TryPolicy } from "./try-policy";

/** Edits an agent's policy: tried on what it has paid, and signed in this browser. */
export function AgentPolicyEdit({
  agentId,
  handle,
  stored,
  onClose,
}: {
  agentId: string;
  handle: string;
  stored: OwnPolicy;
  onClose: () => void;
}) {
  const network = useNetwork();
  const queries = useQueryClient();
  const vault = useVault();
  const path = `/api/agents/${agentId}/spend-policy` as const;
  return (
    <PolicyEdit
      stored={stored}
      updatedAt={stored.updated_at}
      words={{
        title: "Edit policy",
        description: "What the agent may spend without asking you. It holds from the moment you save it.",
        unsaved: `The policy of ${handle} stays as it was before you edited it.`,
        ask: "Save this policy?",
        holds: `It holds for the next payment of ${handle}, everywhere.`,
        save: "Save policy",
        saved: "Policy saved",
      }}
      save={async (fields) => {
        await vault.run("setPolicy", { agent: handle, fields });
        await queries.invalidateQueries({ queryKey: resourceKeys.one(network, path) });
      }}
      trial={(rules) => <TryPolicy agent={agentId} policy={rules} />}
      onClose={onClose}
    />
  );
}
