import { eq } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import type { ChainId } from "@/lib/base/network";
import { appendEvents } from "@/lib/events/append-events";

/**
 * Why an endpoint is disabled: by its owner, after 5 days of only failures, or after 24 hours of only 410 responses.
 */
export type DisabledReason = "owner" | "failing" | "gone";

/**
 * Writes the event of an endpoint that the transaction has disabled. It is delivered to the owner's other endpoints.
 */
export async function announceDisabled(
  tx: Tx,
  { id, rootId, chainId }: { id: string; rootId: string; chainId: number },
  reason: DisabledReason,
  now: Date,
): Promise<void> {
  const [owner] = await tx.select({ handle: accounts.handle }).from(accounts).where(eq(accounts.id, rootId));
  if (!owner) return;
  const subject = { id: rootId, rootId, handle: owner.handle };
  const payload = { webhook_id: id, reason };
  await appendEvents(tx, [{ chainId: chainId as ChainId, type: "webhook.disabled", subject, payload }], now);
}
