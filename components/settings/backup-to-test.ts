import type { Hex } from "viem";
import type { Backup } from "@/sdk/account/backups";

/** A copy that can be tested: one that the service keeps, or the one on the ledger. */
export interface BackupToTest {
  kind: Backup["kind"];
  label: string;
  encrypted: Hex;
  address: string | null;
}
