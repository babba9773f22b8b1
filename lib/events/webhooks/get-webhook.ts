import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { noSuchWebhook, ownWebhooks, type WebhookRow } from "./find-webhook";

/**
 * Returns one of the caller's subscriptions.
 *
 * @throws ApiError `not_found`, also for other accounts, deleted subscriptions and the other network
 */
export async function getWebhook(ctx: Context, webhookId: string): Promise<WebhookRow> {
  const [row] = await db()
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), ownWebhooks(ctx)));
  if (!row) throw noSuchWebhook();
  return row;
}
