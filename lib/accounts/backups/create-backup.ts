import { and, count, eq, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { accountKeyBackups } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import type { BackupRow } from "./backup-resource";
import type { CreateBackupInput } from "./schema";

/** The most backups that one account can have on one network. */
export const MOST_BACKUPS = 5;

/**
 * Stores another encrypted copy of the account key. The service can't decrypt it, and the wallet it is encrypted for
 * gets no access to the account here.
 *
 * @throws ApiError `invalid_request` if the account has {@link MOST_BACKUPS} already, or names its own wallet
 */
export async function createBackup(
  ctx: SessionContext,
  { kind, label, address, encrypted }: CreateBackupInput,
  now = new Date(),
): Promise<BackupRow> {
  const { account, chainId } = ctx;
  if (address === account.address) {
    throw new ApiError("invalid_request", "This is the account's own wallet. Name another one.", { param: "address" });
  }
  return db().transaction(async (tx) => {
    // Without this lock, two concurrent requests could both take the last place.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`backups ${chainId} ${account.id}`}, 0))`);
    const mine = and(eq(accountKeyBackups.accountId, account.id), eq(accountKeyBackups.chainId, chainId));
    const [existing] = await tx.select({ count: count() }).from(accountKeyBackups).where(mine);
    if ((existing?.count ?? 0) >= MOST_BACKUPS) {
      throw new ApiError("invalid_request", `An account has at most ${MOST_BACKUPS} backups. Delete one first.`);
    }
    const [row] = await tx
      .insert(accountKeyBackups)
      .values({ id: newId("backup"), accountId: account.id, chainId, kind, label, address, encrypted, createdAt: now })
      .returning();
    if (!row) throw new Error("a backup was not written");
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), action: "backup.created", target: row.id };
    await appendAudit(tx, { ...entry, after: { kind, label, address: row.address } }, now);
    return row;
  });
}
