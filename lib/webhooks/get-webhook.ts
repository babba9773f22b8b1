import { and, eq } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/context/context";
import { noSuchWebhook, ownWebhooks, type WebhookRow } from "./find-webhook";

/**
 * One subscription of the caller's.
 *
 * @throws ApiError `not_found`, also for other accounts', deleted ones and the other network's
 */
export async function getWebhook(ctx: Context, webhookId: string): Promise<WebhookRow> {
  const [row] = await db()
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), ownWebhooks(ctx)));
  if (!row) throw noSuchWebhook();
  return row;
}
