import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { type webhookDeliveries, webhooks } from "@/db/schema/webhooks";
import type { Context } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";

export type WebhookRow = typeof webhooks.$inferSelect;
export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/**
 * Refuses agents' keys: webhooks belong to the owner (docs/contract-notes.md, Keys).
 *
 * @throws ApiError `key_forbidden`
 */
export function requireWebhookOwner(ctx: Context): { rootId: string; chainId: ChainId } {
  if (ctx.account.type === "agent") {
    throw new ApiError("key_forbidden", "Webhooks belong to the owner. Use a key of the owner's account.");
  }
  return { rootId: ctx.account.rootId, chainId: ctx.chainId };
}

/** Returns the condition that selects the caller's webhooks on the caller's network that are not deleted. */
export function ownWebhooks(ctx: Context): SQL | undefined {
  const { rootId, chainId } = requireWebhookOwner(ctx);
  return and(eq(webhooks.rootId, rootId), eq(webhooks.chainId, chainId), isNull(webhooks.deletedAt));
}

/**
 * Returns and locks one of the caller's endpoints on the caller's network.
 *
 * @throws ApiError `not_found`, `key_forbidden`
 */
export async function findWebhook(tx: Tx, ctx: Context, webhookId: string): Promise<WebhookRow> {
  const [row] = await tx
    .select()
    .from(webhooks)
    .where(and(eq(webhooks.id, webhookId), ownWebhooks(ctx)))
    .for("update");
  if (!row) throw noSuchWebhook();
  return row;
}

/** Returns the same error for a webhook that is unknown, deleted, another account's or of the other network. */
export function noSuchWebhook(): ApiError {
  return new ApiError("not_found", "There is no such webhook. List yours with GET /v1/webhooks.");
}

/**
 * Refuses deliveries to a disabled endpoint.
 *
 * @throws ApiError `invalid_request`
 */
export function requireEnabled(webhook: WebhookRow): void {
  if (webhook.enabled) return;
  throw new ApiError("invalid_request", "The webhook is disabled and receives nothing. Enable it first.");
}
