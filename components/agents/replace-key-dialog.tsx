"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useToast } from "@/components/ui/toast";
import { useVault } from "@/components/vault/vault-provider";
import { agentToSign } from "@/components/wallet/agent-to-sign";
import { signingFor } from "@/components/wallet/signing-for";

/** Asks before it replaces an agent's signing key. */
export function ReplaceKeyDialog({
  handle,
  onClose,
  onReplaced,
}: {
  handle: string;
  onClose: () => void;
  onReplaced: () => void;
}) {
  const vault = useVault();
  const toast = useToast();
  const replace = async () => {
    await signingFor(agentToSign("replace key", handle), () => vault.run("replaceAgentKey", { agent: handle }));
    toast.success("Signing key replaced", `${handle} pays with a new key.`);
    onReplaced();
  };
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Replace the signing key of ${handle}?`}
      keep="Keep key"
      confirm="Replace key"
      tone="primary"
      failed="The key was not replaced."
      onConfirm={replace}
    >
      <p>
        This browser creates a new key and encrypts it for the agent's API keys. Your wallet signs. Payments that the
        old key signed and that are not final yet are void; nothing is paid twice.
      </p>
    </ConfirmDialog>
  );
}
