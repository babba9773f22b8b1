import { and, asc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { isOffLedger, OFF_LEDGER } from "@/lib/chain/ask/off-ledger";
import { successOf } from "@/lib/chain/ask/own-receipt";
import { chainEnv, publicClient } from "@/lib/chain/clients";
import { receiptOf } from "@/lib/chain/index/block-receipts";
import type { ChainId } from "@/lib/network";
import type { CarriedOut } from "@/lib/settlement/judge-states";
import { confirmOperations, isPayment } from "@/lib/settlement/settle-operations";
import { paceOf, retryAt } from "./pace";

interface OpenTransaction {
  id: bigint;
  operationId: string;
  hash: Hex;
  relayer: Hex;
  nonce: number;
  kind: string;
}

/**
 * Finds what became of transactions the index has no event for. Mined and reverted: the operation is tried again.
 * Mined: done, if the receipt shows it. Nonce used by another: replaced.
 */
export async function checkOpen(chainId: ChainId): Promise<void> {
  const open = await openTransactions(chainId);
  if (open.length === 0) return;
  const used = await finalNonces(chainId, [...new Set(open.map(({ relayer }) => relayer))]);
  for (const transaction of open) {
    if (transaction.nonce >= (used.get(transaction.relayer) ?? 0)) continue;
    const receipt = await receiptOf(chainId, transaction.hash);
    if (!receipt) {
      // A node that lags has none either.
      if (missingFor(transaction.id) >= LOOKS) await close(chainId, transaction, "replaced");
    } else if (BigInt(receipt.status) === 0n) await close(chainId, transaction, "reverted");
    else await close(chainId, transaction, "mined");
    if (receipt) missing.delete(transaction.id);
  }
}

function openTransactions(chainId: ChainId): Promise<OpenTransaction[]> {
  const old = new Date(Date.now() - paceOf(chainId).check);
  return db()
    .select({
      id: outgoingTransactions.id,
      operationId: outgoingTransactions.operationId,
      hash: outgoingTransactions.hash,
      relayer: outgoingTransactions.relayer,
      nonce: outgoingTransactions.nonce,
      kind: operations.kind,
    })
    .from(outgoingTransactions)
    .innerJoin(operations, eq(operations.id, outgoingTransactions.operationId))
    .where(
      and(
        eq(outgoingTransactions.chainId, chainId),
        inArray(outgoingTransactions.status, ["signed", "sent"]),
        // What the index never sees is looked for at once.
        or(lt(outgoingTransactions.createdAt, old), inArray(operations.kind, OFF_LEDGER)),
      ),
    )
    .orderBy(asc(outgoingTransactions.nonce))
    .limit(500);
}

const LOOKS = 5;
const missing = new Map<bigint, number>();

/** How often in a row a transaction had no receipt although its nonce is used up. */
function missingFor(id: bigint): number {
  const looks = (missing.get(id) ?? 0) + 1;
  if (looks < LOOKS) missing.set(id, looks);
  else missing.delete(id);
  return looks;
}

/** Per relayer, how many of its nonces are used up in final blocks. */
async function finalNonces(chainId: ChainId, addresses: Hex[]): Promise<Map<Hex, number>> {
  const { finality } = chainEnv(chainId);
  const counts = await Promise.all(
    addresses.map((address) =>
      publicClient(chainId).getTransactionCount({ address: address as Address, blockTag: finality }),
    ),
  );
  return new Map(addresses.map((address, index) => [address, counts[index] ?? 0]));
}

/**
 * What a transaction that succeeded carried out: of a payment the ledger's event in its receipt shows, also while the
 * index still waits for it, for its confirmation leaves nothing to the index; of what the ledger has no part in the
 * receipt alone.
 */
async function carriedOut(chainId: ChainId, { operationId, kind, hash }: OpenTransaction): Promise<CarriedOut[]> {
  if (isOffLedger(kind)) return [{ operationId, txHash: hash }];
  if (!isPayment(kind)) return [];
  const success = await successOf(chainId, hash);
  return success && success.events.length > 0 ? [{ operationId, txHash: hash }] : [];
}

async function close(
  chainId: ChainId,
  transaction: OpenTransaction,
  status: "mined" | "reverted" | "replaced",
): Promise<void> {
  const now = new Date();
  const done = status === "mined" ? await carriedOut(chainId, transaction) : [];
  await db().transaction(async (tx) => {
    await tx.update(outgoingTransactions).set({ status }).where(eq(outgoingTransactions.id, transaction.id));
    const pending = and(eq(operations.id, transaction.operationId), eq(operations.status, "pending"));
    if (status === "mined") {
      // The index of the ledger's events covers everything else.
      return confirmOperations(tx, chainId, done, now);
    }
    const [other] = await tx
      .select({ id: outgoingTransactions.id })
      .from(outgoingTransactions)
      .where(
        and(
          eq(outgoingTransactions.operationId, transaction.operationId),
          inArray(outgoingTransactions.status, ["signed", "sent", "mined"]),
        ),
      )
      .limit(1);
    if (other) return;
    const [row] = await tx.select({ attempts: operations.attempts }).from(operations).where(pending);
    if (!row) return;
    await tx
      .update(operations)
      .set({ attempts: sql`${operations.attempts} + 1`, resendAt: retryAt(now, row.attempts) })
      .where(pending);
  });
}
