import { eq } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { chainEnv } from "@/lib/chain/clients";
import { actorOf, appendAudit } from "@/lib/events/audit/append";
import { notifyDue } from "@/lib/events/fan-out";
import { announceDisabled } from "./announce-disabled";
import { checkUrl } from "./check-url";
import { disableValues, enableValues } from "./disable-webhook";
import { findWebhook, type WebhookRow } from "./find-webhook";
import { HEALTHY } from "./health";
import { notifyChanged } from "./notify-changed";
import type { UpdateWebhookInput } from "./schema";

const shown = ({ url, events, enabled, storeResponses }: WebhookRow) => ({
  url,
  events,
  enabled,
  store_responses: storeResponses,
});

/**
 * Updates the given fields of a subscription. Pending deliveries go to a new address too. Enabling an endpoint resets
 * its failures. Events from while it is disabled are not delivered to it.
 *
 * @throws ApiError `not_found`; `invalid_request` for an address that deliveries may not go to
 */
export async function updateWebhook(
  ctx: Context,
  webhookId: string,
  { url, events, enabled, store_responses }: UpdateWebhookInput,
  now = new Date(),
): Promise<WebhookRow> {
  if (url !== undefined) checkUrl(url, chainEnv(ctx.chainId).local);
  return db().transaction(async (tx) => {
    const before = await findWebhook(tx, ctx, webhookId);
    const switched = enabled !== undefined && enabled !== before.enabled;
    const values = {
      // The old address's failures say nothing about the new one.
      ...(url !== undefined && url !== before.url ? { url, ...HEALTHY } : {}),
      ...(events !== undefined && events.join() !== before.events.join() ? { events } : {}),
      ...(store_responses !== undefined && store_responses !== before.storeResponses
        ? { storeResponses: store_responses }
        : {}),
      ...(switched ? (enabled ? enableValues() : disableValues("owner", now)) : {}),
    };
    if (Object.keys(values).length === 0) return before;
    const [after] = await tx.update(webhooks).set(values).where(eq(webhooks.id, webhookId)).returning();
    if (!after) throw new Error("a webhook was not written");
    if ("url" in values || (switched && !after.enabled)) await notifyChanged(tx, webhookId);
    if (after.enabled) await notifyDue(tx, [webhookId]);
    else if (switched) await announceDisabled(tx, after, "owner", now);
    await appendAudit(
      tx,
      {
        rootId: after.rootId,
        chainId: ctx.chainId,
        actor: actorOf(ctx),
        action: "webhook.updated",
        target: webhookId,
        before: shown(before),
        after: shown(after),
      },
      now,
    );
    return after;
  });
}
