import { and, asc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { rootBackups } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/base/context/context";
import type { BackupRow } from "./backup-resource";

/** Returns the account's backups on the network, oldest first. */
export async function listBackups({ account, chainId }: SessionContext): Promise<BackupRow[]> {
  return db()
    .select()
    .from(rootBackups)
    .where(and(eq(rootBackups.accountId, account.id), eq(rootBackups.chainId, chainId)))
    .orderBy(asc(rootBackups.createdAt), asc(rootBackups.id));
}
