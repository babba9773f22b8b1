import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { findWebhook } from "./find-webhook";
import { notifyChanged } from "./notify-changed";
import { encryptSecret, newSecret } from "./secrets";
import type { WebhookWithSecret } from "./webhook-resource";

/** How long the previous secret also signs. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Gives a subscription a new secret, which is only in this response. The previous secret also signs for 24 hours; an
 * even older one stops now.
 *
 * @throws ApiError `not_found`
 */
export async function rotateWebhookSecret(
  ctx: Context,
  webhookId: string,
  beforeCommit: BeforeCommit<WebhookWithSecret> = async () => {},
  now = new Date(),
): Promise<WebhookWithSecret> {
  return db().transaction(async (tx) => {
    const before = await findWebhook(tx, ctx, webhookId);
    const secret = newSecret();
    const [webhook] = await tx
      .update(webhooks)
      .set({
        secret: encryptSecret(webhookId, secret),
        previousSecret: before.secret,
        previousUntil: new Date(now.getTime() + OVERLAP_MS),
      })
      .where(eq(webhooks.id, webhookId))
      .returning();
    if (!webhook) throw new Error("a webhook was not written");
    await notifyChanged(tx, webhookId);
    const result = { webhook, secret };
    const { rootId } = webhook;
    const entry = { rootId, chainId: ctx.chainId, actor: actorOf(ctx), action: "webhook.secret_rotated" };
    await appendAudit(tx, { ...entry, target: webhookId }, now);
    await beforeCommit(tx, result);
    return result;
  });
}
