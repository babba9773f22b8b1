import { and, asc, eq, inArray, lt, or, sql } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import type { ChainId } from "@/lib/network";
import { chainEnv, publicClient } from "../clients";
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
 * Mined without an event of the ledger (faucet, gas): done. Nonce used by another: replaced.
 */
export async function checkOpen(chainId: ChainId): Promise<void> {
  const open = await openTransactions(chainId);
  if (open.length === 0) return;
  const used = await finalNonces(chainId, [...new Set(open.map(({ relayer }) => relayer))]);
  for (const transaction of open) {
    if (transaction.nonce >= (used.get(transaction.relayer) ?? 0)) continue;
    const receipt = await publicClient(chainId).request({
      method: "eth_getTransactionReceipt",
      params: [transaction.hash],
    });
    if (!receipt) await close(transaction, "replaced");
    else if (BigInt(receipt.status) === 0n) await close(transaction, "reverted");
    else await close(transaction, "mined");
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
        or(lt(outgoingTransactions.createdAt, old), inArray(operations.kind, ["mint", "gas"])),
      ),
    )
    .orderBy(asc(outgoingTransactions.nonce))
    .limit(500);
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

async function close(transaction: OpenTransaction, status: "mined" | "reverted" | "replaced"): Promise<void> {
  const now = new Date();
  await db().transaction(async (tx) => {
    await tx.update(outgoingTransactions).set({ status }).where(eq(outgoingTransactions.id, transaction.id));
    const pending = and(eq(operations.id, transaction.operationId), eq(operations.status, "pending"));
    if (status === "mined") {
      // Of everything else the ledger's events tell.
      if (transaction.kind !== "mint" && transaction.kind !== "gas") return;
      await tx.update(operations).set({ status: "confirmed", settledAt: now }).where(pending);
      return;
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
