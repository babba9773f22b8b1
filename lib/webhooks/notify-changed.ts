import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** The channel on which workers hear that an endpoint is not what it was; the payload is its id. */
export const CHANGED_CHANNEL = "webhook_changed";

/**
 * Has the workers, when the transaction commits, break off what they send to an endpoint and look at it again.
 * What was broken off is attempted again if the endpoint still wants it.
 */
export async function notifyChanged(tx: Tx, webhookId: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANGED_CHANNEL}, ${webhookId})`);
}
