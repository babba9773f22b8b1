import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";

/** The channel that notifies workers of changed endpoints; the payload is the endpoint's id. */
export const CHANGED_CHANNEL = "webhook_changed";

/**
 * Makes workers abort requests to an endpoint and read it again, once the transaction commits. Aborted deliveries are
 * attempted again if the endpoint still wants them.
 */
export async function notifyChanged(tx: Tx, webhookId: string): Promise<void> {
  await tx.execute(sql`select pg_notify(${CHANGED_CHANNEL}, ${webhookId})`);
}
