import { and, count, eq, isNull, sql } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { BeforeCommit, Context } from "@/lib/base/context/context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { chainEnv } from "@/lib/chain/clients";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { checkUrl } from "./check-url";
import { requireWebhookOwner } from "./find-webhook";
import type { CreateWebhookInput } from "./schema";
import { encryptSecret, newSecret } from "./secrets";
import type { WebhookWithSecret } from "./webhook-resource";

/**
 * Subscribes an address to event types. The secret is only in this response and can't be shown again.
 *
 * @throws ApiError `invalid_request` for an address that deliveries may not go to, or too many subscriptions
 */
export async function createWebhook(
  ctx: Context,
  { url, events, store_responses }: CreateWebhookInput,
  beforeCommit: BeforeCommit<WebhookWithSecret> = async () => {},
  now = new Date(),
): Promise<WebhookWithSecret> {
  const { rootId, chainId } = requireWebhookOwner(ctx);
  checkUrl(url, chainEnv(chainId).local);
  // On the live network, responses are stored only if the owner asks for it, because the receiver decides what is in
  // them.
  const storeResponses = store_responses ?? ctx.network === "test";
  const id = newId("webhook");
  const secret = newSecret();
  return db().transaction(async (tx) => {
    // Serializes concurrent calls, so that two can't both take the last place.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks ${chainId} ${rootId}`}, 0))`);
    const [existing] = await tx
      .select({ count: count() })
      .from(webhooks)
      .where(and(eq(webhooks.rootId, rootId), eq(webhooks.chainId, chainId), isNull(webhooks.deletedAt)));
    const most = env().accountCaps.webhooks;
    if ((existing?.count ?? 0) >= most) {
      throw new ApiError("invalid_request", `An account has at most ${most} webhooks on a network. Delete one first.`);
    }
    const [webhook] = await tx
      .insert(webhooks)
      .values({ id, rootId, chainId, url, events, storeResponses, secret: encryptSecret(id, secret), createdAt: now })
      .returning();
    if (!webhook) throw new Error("a webhook was not written");
    const result = { webhook, secret };
    const entry = { rootId, chainId, actor: actorOf(ctx), action: "webhook.created", target: id };
    await appendAudit(tx, { ...entry, after: { url, events, enabled: true, store_responses: storeResponses } }, now);
    await beforeCommit(tx, result);
    return result;
  });
}
