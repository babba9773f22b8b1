import { sql } from "drizzle-orm";
import { db } from "@/db/client";
import { notificationSettings } from "@/db/schema/notifications";
import type { SessionContext } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { NOTIFICATION_KINDS } from "@/lib/events/notification-kinds";
import type { SwitchInput } from "./schema";

/** Turns a kind of notification on or off for a channel. */
export async function switchKind(
  ctx: SessionContext,
  { kind, channel, enabled }: SwitchInput,
  now = new Date(),
): Promise<void> {
  const { account, chainId } = ctx;
  const { rootId } = account;
  const all = [...NOTIFICATION_KINDS];
  await db().transaction(async (tx) => {
    const insert = tx.insert(notificationSettings);
    const where = sql`${notificationSettings.rootId} = ${rootId} and ${notificationSettings.chainId} = ${chainId}`;
    await insert.values({ rootId, chainId, emailKinds: all, pushKinds: all }).onConflictDoNothing();
    const [row] = await tx.select().from(notificationSettings).where(where).for("update");
    const field = channel === "email" ? "emailKinds" : "pushKinds";
    const before = row?.[field] ?? all;
    if (before.includes(kind) === enabled) return;
    const after = all.filter((one) => (one === kind ? enabled : before.includes(one)));
    await tx
      .update(notificationSettings)
      .set({ [field]: after })
      .where(where);
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "notifications.switched", target: rootId };
    await appendAudit(tx, { ...entry, before: { [channel]: before }, after: { [channel]: after } }, now);
  });
}
