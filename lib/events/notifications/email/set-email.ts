import { and, eq, sql } from "drizzle-orm";
import { db, type Tx } from "@/db/client";
import { notificationEmails } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { scheduleNotification } from "@/lib/events/notify-owner";
import { roomForConfirmation } from "./caps";
import { decryptEmail, encryptEmail, hashOfToken, newToken } from "./email-secrets";
import { mailWay } from "./mail-way";
import type { SetEmailInput } from "./schema";

/** How many hours a confirmation link works. */
const CONFIRM_HOURS = 24;

export type EmailRow = typeof notificationEmails.$inferSelect;

/**
 * Sets the address for notifications, replacing any earlier one, and sends it a confirmation link. Nothing else is sent
 * to it until it is confirmed. Setting the same address again sends a new link.
 *
 * @throws ApiError `invalid_request` if this installation sends no email, `rate_limited`
 */
export async function setEmail(ctx: SessionContext, { address }: SetEmailInput, now = new Date()): Promise<EmailRow> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  if (mailWay(chainId) === "none") {
    throw new ApiError("invalid_request", "This installation sends no email. Use push notifications.");
  }
  const wait = await roomForConfirmation(rootId, address);
  if (wait > 0) {
    const message = "Too many confirmation links were requested today. Use the newest one, or try again later.";
    throw new ApiError("rate_limited", message, { retryAfter: Math.ceil(wait / 1_000) });
  }
  return db().transaction(async (tx) => {
    // Serializes concurrent calls, so that an account never has two addresses.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`email ${chainId} ${rootId}`}, 0))`);
    const mine = and(eq(notificationEmails.rootId, rootId), eq(notificationEmails.chainId, chainId));
    const [before] = await tx.select().from(notificationEmails).where(mine).for("update");
    const same = before !== undefined && decryptEmail(before.id, before.encrypted).address === address;
    // A different address gets a new id, so that messages already queued for the old address don't reach the new one.
    if (before && !same) await tx.delete(notificationEmails).where(mine);
    const row = await write(tx, { rootId, chainId, address, before: same ? before : undefined }, now);
    await scheduleNotification(tx, { target: row.id, kind: "confirm", chainId, cause: crypto.randomUUID() }, now);
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "notifications.email_set", target: row.id };
    await appendAudit(tx, { ...entry, after: { state: row.state } }, now);
    return row;
  });
}

async function write(
  tx: Tx,
  { rootId, chainId, address, before }: Pick<EmailRow, "rootId" | "chainId"> & { address: string; before?: EmailRow },
  now: Date,
): Promise<EmailRow> {
  const id = before?.id ?? newId("emailAddress");
  const confirm = newToken(id);
  // Keep the unsubscribe token, so that links in earlier messages still work.
  const unsubscribe = before ? decryptEmail(id, before.encrypted).unsubscribe : newToken(id);
  const values = {
    encrypted: encryptEmail(id, { address, confirm, unsubscribe }),
    state: "pending" as const,
    reason: null,
    confirmHash: hashOfToken(confirm),
    confirmUntil: new Date(now.getTime() + CONFIRM_HOURS * 3_600_000),
    unsubscribeHash: hashOfToken(unsubscribe),
    changedAt: now,
  };
  const [row] = await tx
    .insert(notificationEmails)
    .values({ id, rootId, chainId, createdAt: now, ...values })
    .onConflictDoUpdate({ target: notificationEmails.id, set: values })
    .returning();
  if (!row) throw new Error("an address was not written");
  return row;
}
