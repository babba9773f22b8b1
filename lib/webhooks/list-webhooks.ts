import { and, asc, eq, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/auth/context";
import { requireOwner, type WebhookRow } from "./find-webhook";

/** The account's subscriptions on this network, oldest first; there are few (MOST_WEBHOOKS). */
export async function listWebhooks(ctx: Context): Promise<WebhookRow[]> {
  const { rootId, chainId } = requireOwner(ctx);
  return db()
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.rootId, rootId), eq(webhooks.chainId, chainId), isNull(webhooks.deletedAt)))
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id));
}
