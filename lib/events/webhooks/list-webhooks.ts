import { asc } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { ownWebhooks, type WebhookRow } from "./find-webhook";

/**
 * Returns the account's subscriptions on this network, oldest first. Not paged, because `ACCOUNT_MAX_WEBHOOKS` is
 * small.
 */
export async function listWebhooks(ctx: Context): Promise<WebhookRow[]> {
  return db().select().from(webhooks).where(ownWebhooks(ctx)).orderBy(asc(webhooks.createdAt), asc(webhooks.id));
}
