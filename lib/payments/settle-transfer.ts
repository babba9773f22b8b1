import { and, eq, ne } from "drizzle-orm";
import type { Hex } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { transfers } from "@/db/schema/transfers";
import { count } from "@/lib/base/telemetry/record";
import type { EventSubject } from "@/lib/events/append-events";
import { appendTransferEvents, type TransferRow } from "./append-transfer-events";
import { reopenPurposes, settlePurposes } from "./purposes";

/** The transaction of an operation in a final block. */
interface MinedOperation {
  operationId: string;
  txHash: Hex;
  /** Whether its confirmation was announced before. */
  announced: boolean;
}

/**
 * Sets the transfers of settled operations to `confirmed`, with the mined hash, and writes their events. Uses a handful
 * of statements for any number of payments.
 */
export async function confirmTransfers(tx: Tx, mined: readonly MinedOperation[], now: Date): Promise<void> {
  if (mined.length === 0) return;
  const hashOf = new Map(mined.map(({ operationId, txHash }) => [operationId, txHash]));
  const rows = await tx
    .update(transfers)
    .set({ status: "confirmed", confirmedAt: now, failedAt: null })
    .where(and(anyOf(transfers.operationId, hashOf.keys()), ne(transfers.status, "confirmed")))
    .returning();
  for (const row of rows) {
    const txHash = hashOf.get(row.operationId);
    if (!txHash || txHash === row.txHash) continue;
    // The fee was raised, or it was sent again, or someone else sent it.
    row.txHash = txHash;
    await tx.update(transfers).set({ txHash }).where(eq(transfers.id, row.id));
  }
  await settlePurposes(tx, rows, now);
  const announced = new Set(mined.filter((one) => one.announced).map(({ operationId }) => operationId));
  await announce(
    tx,
    "transfer.confirmed",
    rows.filter(({ operationId }) => !announced.has(operationId)),
    now,
  );
}

/** Sets the transfers of failed operations to `failed`, and writes their events. No money moved. */
export async function failTransfers(tx: Tx, operationIds: readonly string[], now: Date): Promise<void> {
  if (operationIds.length === 0) return;
  const rows = await tx
    .update(transfers)
    .set({ status: "failed", failedAt: now })
    .where(and(anyOf(transfers.operationId, operationIds), eq(transfers.status, "pending")))
    .returning();
  await settlePurposes(tx, rows, now);
  await announce(tx, "transfer.failed", rows, now);
}

/** Sets confirmed transfers back to `pending`, with the runs and payout rows that they pay. Writes no events. */
export async function reopenTransfers(tx: Tx, operationIds: readonly string[]): Promise<void> {
  const rows = await tx
    .update(transfers)
    .set({ status: "pending", confirmedAt: null })
    .where(and(anyOf(transfers.operationId, operationIds), eq(transfers.status, "confirmed")))
    .returning();
  await reopenPurposes(tx, rows);
}

async function announce(tx: Tx, type: "transfer.confirmed" | "transfer.failed", rows: TransferRow[], now: Date) {
  if (rows.length === 0) return;
  for (const _ of rows) count("halcyon.payments", { outcome: type === "transfer.confirmed" ? "confirmed" : "failed" });
  const ids = [...new Set(rows.flatMap((row) => [row.payerId, ...(row.recipientId ? [row.recipientId] : [])]))];
  const found = await tx
    .select({ id: accounts.id, handle: accounts.handle, ownerId: accounts.ownerId })
    .from(accounts)
    .where(anyOf(accounts.id, ids));
  const subjects = new Map<string, EventSubject>(
    found.map(({ id, handle, ownerId }) => [id, { id, handle, rootId: ownerId ?? id }]),
  );
  const list = rows.flatMap((row) => {
    const payer = subjects.get(row.payerId);
    const recipient = row.recipientId ? subjects.get(row.recipientId) : undefined;
    return payer ? [{ row, parties: { payer, recipient } }] : [];
  });
  await appendTransferEvents(tx, type, list, now);
}
