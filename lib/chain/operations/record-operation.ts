import type { Tx } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";

type Operation = Omit<typeof operations.$inferInsert, "status">;
type Signed = Pick<typeof outgoingTransactions.$inferInsert, "nonce" | "hash" | "raw">;

/** Records a new operation and its first transaction. */
export async function recordOperation(tx: Tx, operation: Operation, signed: Signed): Promise<void> {
  const { id: operationId, chainId, relayer, createdAt } = operation;
  // Pipelined: both run on one connection in this order, without waiting in between.
  await Promise.all([
    tx.insert(operations).values({ ...operation, status: "pending" }),
    tx.insert(outgoingTransactions).values({ operationId, chainId, relayer, createdAt, ...signed, status: "signed" }),
  ]);
}
