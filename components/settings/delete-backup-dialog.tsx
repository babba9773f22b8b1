"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/components/api/api";
import { useNetwork } from "@/components/api/network-context";
import { resourceKeys } from "@/components/api/resource-keys";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useToast } from "@/components/ui/toast";
import type { Backup } from "@/sdk/account/backups";

/** Deletes the service's copy after a confirmation. */
export function DeleteBackupDialog({ deleted, onClose }: { deleted: Backup | undefined; onClose: () => void }) {
  const network = useNetwork();
  const client = useQueryClient();
  const toast = useToast();
  // Keeps the name while the dialog closes.
  const [shown, setShown] = useState(deleted);
  if (deleted && deleted !== shown) setShown(deleted);
  const remove = async () => {
    if (!deleted) return;
    await api(network).delete(`/api/backups/${deleted.backup_id}`);
    await client.invalidateQueries({ queryKey: resourceKeys.collection(network, "/api/backups") });
    toast.success("Backup deleted", `${deleted.label} is no longer kept here.`);
  };
  return (
    <ConfirmDialog
      open={deleted !== undefined}
      onClose={onClose}
      title={`Delete ${shown?.label ?? "backup"}?`}
      keep="Keep backup"
      confirm="Delete backup"
      onConfirm={remove}
    >
      <p>
        The copy kept here is deleted. Files you have downloaded can still be decrypted with their recovery code or
        wallet, and so can the copy on the ledger.
      </p>
    </ConfirmDialog>
  );
}
