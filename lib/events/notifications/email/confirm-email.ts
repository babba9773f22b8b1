import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { notificationEmails } from "@/db/schema/notifications";
import { isId } from "@/lib/base/ids";
import type { ChainId } from "@/lib/base/network";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import { decryptEmail, encryptEmail, idOfToken, isToken } from "./email-secrets";

/**
 * Confirms an address with the token from its confirmation link, once. Anyone who has the link may use it, because
 * having it shows that they read the inbox.
 *
 * @returns true if this call confirmed the address; false if the token is unknown, used or expired
 */
export async function confirmEmail(token: string, now = new Date()): Promise<boolean> {
  const id = idOfToken(token);
  if (!isId("emailAddress", id)) return false;
  return db().transaction(async (tx) => {
    const [row] = await tx.select().from(notificationEmails).where(eq(notificationEmails.id, id)).for("update");
    if (row?.state !== "pending" || !isToken(token, row.confirmHash)) return false;
    if (!row.confirmUntil || row.confirmUntil <= now) return false;
    const encrypted = encryptEmail(id, { ...decryptEmail(id, row.encrypted), confirm: null });
    await tx
      .update(notificationEmails)
      .set({ state: "confirmed", encrypted, confirmHash: null, confirmUntil: null, changedAt: now })
      .where(eq(notificationEmails.id, id));
    const entry = { rootId: row.rootId, chainId: row.chainId as ChainId, actor: SYSTEM, target: id };
    const [before, after] = [{ state: "pending" }, { state: "confirmed" }];
    await appendAudit(tx, { ...entry, action: "notifications.email_confirmed", before, after }, now);
    return true;
  });
}
