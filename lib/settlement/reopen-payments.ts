import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { log } from "@/lib/base/telemetry/log";
import { reopenTransfers } from "@/lib/payments/settle-transfer";

/**
 * Reopens confirmed payments that the chain lacks after all, with the runs and payout rows that they pay. The same bytes
 * are sent again, and the outcome is judged as usual. Writes no event: `transfer.confirmed` is not sent twice;
 * `transfer.failed` is sent if they fail.
 */
export async function reopenPayments(tx: Tx, operationIds: readonly string[], now: Date): Promise<void> {
  if (operationIds.length === 0) return;
  log().error({ operations: operationIds.length }, "confirmed payments are not on the chain: they are open again");
  const ids = [...operationIds];
  await tx
    .update(operations)
    .set({ status: "pending", settledAt: null, reopenedAt: now, reconciledAt: null, mismatch: null })
    .where(and(inArray(operations.id, ids), eq(operations.status, "confirmed")));
  await tx
    .update(outgoingTransactions)
    .set({ status: "sent" })
    .where(and(inArray(outgoingTransactions.operationId, ids), eq(outgoingTransactions.status, "mined")));
  await reopenTransfers(tx, ids);
}
