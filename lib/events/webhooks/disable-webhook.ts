import { and, eq, isNull } from "drizzle-orm";
import { db } from "@/db/client";
import { webhooks } from "@/db/schema/webhooks";
import type { ChainId } from "@/lib/base/network";
import { appendAudit, SYSTEM } from "@/lib/events/audit/append";
import { announceDisabled, type DisabledReason } from "./announce-disabled";
import { HEALTHY } from "./health";
import { notifyChanged } from "./notify-changed";

/** Returns the columns of a disabled endpoint. Call `notifyChanged` in the same transaction. */
export const disableValues = (reason: DisabledReason, now: Date) => ({
  enabled: false,
  disabledAt: now,
  disabledReason: reason,
});

/** Returns the columns of an enabled endpoint with its failures reset. */
export const enableValues = () => ({ enabled: true, disabledAt: null, disabledReason: null, ...HEALTHY });

/**
 * Disables an endpoint that has failed for too long, with an event and an audit entry.
 *
 * @param url the address that has failed; an endpoint that has another one by now stays enabled
 */
export async function disableWebhook(
  webhookId: string,
  reason: "failing" | "gone",
  now: Date,
  url: string,
): Promise<void> {
  await db().transaction(async (tx) => {
    const [row] = await tx
      .update(webhooks)
      .set(disableValues(reason, now))
      .where(
        and(eq(webhooks.id, webhookId), eq(webhooks.enabled, true), isNull(webhooks.deletedAt), eq(webhooks.url, url)),
      )
      .returning({ rootId: webhooks.rootId, chainId: webhooks.chainId, failingSince: webhooks.failingSince });
    if (!row) return;
    await notifyChanged(tx, webhookId);
    await announceDisabled(tx, { id: webhookId, rootId: row.rootId, chainId: row.chainId }, reason, now);
    const entry = {
      rootId: row.rootId,
      chainId: row.chainId as ChainId,
      actor: SYSTEM,
      action: "webhook.disabled",
      target: webhookId,
      before: { enabled: true },
      after: { enabled: false, disabled_reason: reason, failing_since: row.failingSince?.toISOString() ?? null },
    };
    await appendAudit(tx, entry, now);
  });
}
