import { getAddress } from "viem";
import type { accountKeyBackups } from "@/db/schema/accounts";
import { isoTime } from "@/lib/base/clock";

export type BackupRow = typeof accountKeyBackups.$inferSelect;

/** Returns a backup as the owner's API shows it. */
export function toBackupResource(row: BackupRow) {
  return {
    backup_id: row.id,
    kind: row.kind,
    label: row.label,
    address: row.address && getAddress(row.address),
    encrypted: row.encrypted,
    created_at: isoTime(row.createdAt),
  };
}
