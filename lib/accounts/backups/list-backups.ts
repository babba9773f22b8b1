import { and, asc, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accountKeyBackups } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/base/context/context";
import type { BackupRow } from "./backup-resource";

/** Returns the account's backups on the network, oldest first. */
export async function listBackups({ account, chainId }: SessionContext): Promise<BackupRow[]> {
  return db()
    .select()
    .from(accountKeyBackups)
    .where(and(eq(accountKeyBackups.accountId, account.id), eq(accountKeyBackups.chainId, chainId)))
    .orderBy(asc(accountKeyBackups.createdAt), asc(accountKeyBackups.id));
}
