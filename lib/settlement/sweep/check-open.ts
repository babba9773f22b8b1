import { and, asc, eq, inArray, lt, ne, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { operations, outgoingTransactions, relayers } from "@/db/schema/chain";
import { agreedReceipt } from "@/lib/chain/ask/agreed-receipt";
import { isOffLedger, OFF_LEDGER } from "@/lib/chain/ask/off-ledger";
import { successOf } from "@/lib/chain/ask/own-receipt";
import { chainEnv } from "@/lib/chain/clients";
import { usedNonces } from "@/lib/chain/used-nonces";
import type { ChainId } from "@/lib/network";
import type { CarriedOut } from "@/lib/settlement/judge-states";
import { confirmOperations, isPayment } from "@/lib/settlement/settle-operations";
import { log } from "@/lib/telemetry/log";
import { count } from "@/lib/telemetry/record";
import { isOwnCall } from "./is-own-call";
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
 * Checks the transactions for which the index has no event. If one was mined and reverted, its operation is tried
 * again. If it was mined and the receipt shows success, the operation is done. If another transaction used its nonce,
 * it is marked as replaced. If that transaction was not one of ours, someone else has the relayer's key: raises an
 * alarm, and leaves out all nonces that are used up, so that what is sent next does not lose its nonce as well.
 */
export async function checkOpen(chainId: ChainId): Promise<void> {
  const open = await openTransactions(chainId);
  if (open.length === 0) return;
  const used = await finalNonces(chainId, [...new Set(open.map(({ relayer }) => relayer))]);
  for (const transaction of open) {
    const usedUp = used.get(transaction.relayer) ?? 0;
    if (transaction.nonce >= usedUp) continue;
    await look(chainId, transaction, usedUp).catch((error: unknown) => {
      // Nothing is concluded from it, and everything else goes on.
      log().warn({ err: error, chainId, txHash: transaction.hash }, "the chain does not show what became of it");
    });
  }
}

/** Looks what became of a transaction whose nonce is used up. */
async function look(chainId: ChainId, transaction: OpenTransaction, usedUp: number): Promise<void> {
  const receipt = await agreedReceipt(chainId, transaction.hash);
  if (!receipt) {
    // A node that lags has no receipt either.
    if (missingFor(transaction.id) < LOOKS) return;
    // First: what is closed is not looked at again, should this process end here.
    await noteForeign(chainId, transaction, usedUp);
    return close(chainId, transaction, "replaced");
  }
  await close(chainId, transaction, BigInt(receipt.status) === 0n ? "reverted" : "mined");
  missing.delete(transaction.id);
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
        // Operations that the index never sees are checked at once.
        or(lt(outgoingTransactions.createdAt, old), inArray(operations.kind, OFF_LEDGER)),
      ),
    )
    .orderBy(asc(outgoingTransactions.nonce))
    .limit(500);
}

const LOOKS = 5;
const missing = new Map<bigint, number>();

/** Counts how often in a row a transaction had no receipt although its nonce was used. */
function missingFor(id: bigint): number {
  const looks = (missing.get(id) ?? 0) + 1;
  if (looks < LOOKS) missing.set(id, looks);
  else missing.delete(id);
  return looks;
}

/**
 * Raises an alarm if none of our transactions has used the nonce of one that was replaced. Raising a fee makes several
 * with the same nonce, all for one operation; the database may lack the newest after a restore.
 *
 * @param used how many of the relayer's nonces are used in final blocks
 */
async function noteForeign(chainId: ChainId, { id, operationId, relayer, nonce }: OpenTransaction, used: number) {
  const { status } = outgoingTransactions;
  const [ours] = await db()
    .select({ id: outgoingTransactions.id })
    .from(outgoingTransactions)
    .where(
      and(
        eq(outgoingTransactions.operationId, operationId),
        eq(outgoingTransactions.relayer, relayer),
        eq(outgoingTransactions.nonce, nonce),
        ne(status, "replaced"),
        ne(outgoingTransactions.id, id),
      ),
    )
    .limit(1);
  if (ours || (await isOwnCall(chainId, operationId, relayer, nonce))) return;
  count("halcyon.relayer.foreign", { chain: chainId });
  log().error({ chainId, relayer, nonce }, "a relayer's nonce was used by a transaction that the service did not sign");
  await db()
    .update(relayers)
    .set({ nextNonce: used })
    .where(and(eq(relayers.chainId, chainId), eq(relayers.address, relayer), lt(relayers.nextNonce, used)));
}

/** Returns for each relayer how many of its nonces are used in final blocks. */
async function finalNonces(chainId: ChainId, addresses: readonly Hex[]): Promise<Map<Hex, number>> {
  const blockTag = chainEnv(chainId).finality;
  const found = addresses.map(async (address): Promise<[Hex, number]> => {
    // While a node is away, nothing counts as final, and all other work goes on.
    const used = await usedNonces(chainId, address, blockTag).catch((error: unknown) => {
      log().warn({ err: error, chainId, relayer: address }, "a node does not say which nonces are final");
      return 0;
    });
    return [address, used];
  });
  return new Map(await Promise.all(found));
}

/**
 * Returns what a successful transaction carried out. For a payment, the ledger's event in the receipt must show it; the
 * payment may then be confirmed before the index sees it. For an operation outside the ledger, the receipt is enough.
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
      // The index confirms everything else by the ledger's events.
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
