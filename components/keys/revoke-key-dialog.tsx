"use client";

import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useToast } from "@/components/ui/toast";
import type { ListedKey } from "@/sdk/api/api-types";

/** Revokes a key after a confirmation. */
export function RevokeKeyDialog({ revoked, onClose }: { revoked: ListedKey | undefined; onClose: () => void }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  const revoke = async () => {
    if (!revoked) return;
    await api(network).delete(`/api/keys/${revoked.key_id}`);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/keys") });
    toast.success("Key revoked", `${revoked.label} no longer works.`);
  };
  return (
    <ConfirmDialog
      open={revoked !== undefined}
      onClose={onClose}
      title={`Revoke ${revoked?.label ?? "key"}?`}
      keep="Keep key"
      confirm="Revoke key"
      onConfirm={revoke}
    >
      <p>
        Programs that use it are refused from their next request on, everywhere. Payments already made stay as they are.
        A revoked key cannot be brought back.
      </p>
    </ConfirmDialog>
  );
}
