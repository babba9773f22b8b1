"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { useRefresh } from "@/components/api/use-refresh";
import { Button } from "@/components/ui/button";
import { Callout } from "@/components/ui/callout";
import { useToast } from "@/components/ui/toast";
import { useAsyncAction } from "@/components/ui/use-async-action";
import { useVault } from "@/components/vault/vault-provider";
import { agentToSign } from "@/components/wallet/agent-to-sign";
import { signingFor } from "@/components/wallet/signing-for";
import { fieldsOfPolicy } from "@/lib/policy/fields-of-policy";
import type { OwnPolicy } from "./own-policy";

/**
 * Says that an agent can't pay because the ledger lacks the policy shown here, with the remedy: sign the policy again.
 */
export function NotInForce({ agentId, handle, policy }: { agentId: string; handle: string; policy: OwnPolicy }) {
  const vault = useVault();
  const toast = useToast();
  const network = useNetwork();
  const queries = useQueryClient();
  const refresh = useRefresh();
  const { busy, error, isUnknown, run } = useAsyncAction();
  const signAgain = () =>
    run(async () => {
      await signingFor(agentToSign("policy again", handle), () =>
        vault.run("setPolicy", { agent: handle, fields: fieldsOfPolicy(policy) }),
      );
      toast.success("Policy in force", `${handle} pays within it again.`);
      await queries.invalidateQueries({
        queryKey: resourceKeys.one(network, `/v1/agents/${agentId}/spend-policy`),
      });
      refresh();
    });
  return (
    <Callout
      tone="danger"
      title="This policy is not in force: the agent pays nothing."
      action={
        <Button size="small" busy={busy} onClick={signAgain}>
          Sign it again
        </Button>
      }
    >
      The chain does not have the policy that is shown here. Read it. If it is what you want, sign it again; otherwise
      edit it.
      {error && (
        <span role="alert" className={`mt-1 block ${isUnknown ? "text-warning" : "text-danger"}`}>
          {error}
        </span>
      )}
    </Callout>
  );
}
