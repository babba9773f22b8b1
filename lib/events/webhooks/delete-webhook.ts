import { setTimeout as sleep } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { findWebhook } from "./find-webhook";
import { notifyChanged } from "./notify-changed";

const FIRST_LOOK_MS = 2;
const LONGEST_LOOK_MS = 100;

/**
 * Deletes an endpoint. Once it returns, nothing more is sent there and no request is in progress: the worker that
 * serves the endpoint aborts and releases it first. If that worker was killed, this waits until its hold ends, at most
 * `HOLD_MS`.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function deleteWebhook(ctx: Context, webhookId: string, beforeCommit?: BeforeCommit<void>): Promise<void> {
  await db().transaction(async (tx) => {
    const now = new Date();
    const { url, events } = await findWebhook(tx, ctx, webhookId);
    await tx
      .update(webhooks)
      .set({ deletedAt: now, enabled: false, secret: null, previousSecret: null, previousUntil: null })
      .where(eq(webhooks.id, webhookId));
    await notifyChanged(tx, webhookId);
    const entry = { rootId: ctx.account.rootId, chainId: ctx.chainId, actor: actorOf(ctx), target: webhookId };
    await appendAudit(tx, { ...entry, action: "webhook.deleted", before: { url, events } }, now);
    await beforeCommit?.(tx, undefined);
  });
  await untilReleased(webhookId);
}

async function untilReleased(webhookId: string): Promise<void> {
  for (let pause = FIRST_LOOK_MS; ; pause = Math.min(pause * 2, LONGEST_LOOK_MS)) {
    const [row] = await db()
      .select({ worker: webhooks.worker, until: webhooks.workerUntil })
      .from(webhooks)
      .where(eq(webhooks.id, webhookId));
    if (!row?.worker || !row.until || row.until <= new Date()) return;
    await sleep(pause);
  }
}
