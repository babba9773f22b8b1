import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { accountKeyBackups } from "@/db/schema/accounts";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { actorOf, appendAudit } from "@/lib/events/audit/append";

/**
 * Deletes an encrypted copy of the account key. Anyone who has downloaded it still has it.
 *
 * @throws ApiError `not_found` if the id is unknown, another account's, or of the other network
 */
export async function deleteBackup(ctx: SessionContext, id: string, now = new Date()): Promise<void> {
  const { account, chainId } = ctx;
  await db().transaction(async (tx) => {
    const [row] = await tx
      .delete(accountKeyBackups)
      .where(
        and(
          eq(accountKeyBackups.id, id),
          eq(accountKeyBackups.accountId, account.id),
          eq(accountKeyBackups.chainId, chainId),
        ),
      )
      .returning();
    if (!row) throw new ApiError("not_found", "You have no backup with this id on this network.");
    const { kind, label, address } = row;
    const entry = { rootId: account.id, chainId, actor: actorOf(ctx), action: "backup.deleted", target: id };
    await appendAudit(tx, { ...entry, before: { kind, label, address } }, now);
  });
}
