import { and, eq, inArray, isNotNull, lt } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { operations, outgoingTransactions } from "@/db/schema/chain";
import { reservations } from "@/db/schema/ledger";
import type { CarriedOut } from "@/lib/budgets/settle-budgets";
import type { ChainId } from "@/lib/network";
import { confirmTransfers } from "@/lib/transfers/settle-transfer";
import { failOperations } from "./fail";

/** An enrolment, of an account or an agent, as a final event shows it. */
export interface FinalEnrollment {
  kind: "enroll" | "enroll_agent";
  account: Address;
  /** What the call that came true holds beside the address: viewing key and spender, or the agent's owner. */
  says: readonly Hex[];
  txHash: Hex;
}

/** What the final events of a batch of blocks say about operations. */
export interface FinalEvents {
  /** Told by the budget words that came true, whoever sent the transaction. */
  carriedOut: readonly CarriedOut[];
  enrollments: readonly FinalEnrollment[];
  /** Transactions in which the ledger said anything. */
  txHashes: readonly Hex[];
}

/** Confirms the operations that final events show, with their transfers and events, in the index's transaction. */
export async function settleOperations(tx: Tx, chainId: ChainId, events: FinalEvents, now: Date): Promise<void> {
  const mined = await markMined(tx, chainId, events.txHashes);
  const enrolled = await judgeEnrollments(tx, chainId, events.enrollments, now);
  const hashOf = new Map([...mined, ...enrolled, ...events.carriedOut].map((one) => [one.operationId, one.txHash]));
  if (hashOf.size === 0) return;
  const confirmed = await tx
    .update(operations)
    .set({ status: "confirmed", settledAt: now, resendAt: null })
    .where(and(inArray(operations.id, [...hashOf.keys()]), eq(operations.status, "pending")))
    .returning({ id: operations.id, kind: operations.kind, account: operations.account });
  if (confirmed.length === 0) return;
  const ids = confirmed.map(({ id }) => id);
  if (confirmed.some(({ kind }) => kind === "allocate")) {
    await tx.delete(reservations).where(inArray(reservations.operationId, ids));
  }
  // What failed because an earlier operation was missing has its chance now.
  await tx
    .update(operations)
    .set({ resendAt: now })
    .where(
      and(
        eq(operations.chainId, chainId),
        inArray(operations.account, [...new Set(confirmed.map(({ account }) => account))]),
        eq(operations.status, "pending"),
        isNotNull(operations.resendAt),
      ),
    );
  await confirmTransfers(
    tx,
    confirmed.flatMap(({ id, kind }) => {
      const txHash = hashOf.get(id);
      return txHash && (kind === "transfer" || kind === "release" || kind === "fund")
        ? [{ operationId: id, txHash }]
        : [];
    }),
    now,
  );
}

/** Fails what can no longer be mined: the deadline lies before a final block up to which everything is indexed. */
export async function failExpired(tx: Tx, chainId: ChainId, blockTime: Date, now: Date): Promise<void> {
  const expired = await tx
    .select({ id: operations.id })
    .from(operations)
    .where(and(eq(operations.chainId, chainId), eq(operations.status, "pending"), lt(operations.deadline, blockTime)));
  if (expired.length > 0) {
    await failOperations(
      tx,
      expired.map(({ id }) => id),
      now,
    );
  }
}

async function markMined(tx: Tx, chainId: ChainId, hashes: readonly Hex[]): Promise<CarriedOut[]> {
  if (hashes.length === 0) return [];
  return tx
    .update(outgoingTransactions)
    .set({ status: "mined" })
    .where(and(eq(outgoingTransactions.chainId, chainId), inArray(outgoingTransactions.hash, [...hashes])))
    .returning({ operationId: outgoingTransactions.operationId, txHash: outgoingTransactions.hash });
}

/** An address enrols once: of its pending enrolments the one that says the same came true, others never will. */
async function judgeEnrollments(
  tx: Tx,
  chainId: ChainId,
  list: readonly FinalEnrollment[],
  now: Date,
): Promise<CarriedOut[]> {
  const cameTrue: CarriedOut[] = [];
  for (const { kind, account, says, txHash } of list) {
    const pending = await tx
      .select({ id: operations.id, kind: operations.kind, data: operations.data })
      .from(operations)
      .where(
        and(
          eq(operations.chainId, chainId),
          eq(operations.account, account),
          inArray(operations.kind, ["enroll", "enroll_agent"]),
          eq(operations.status, "pending"),
        ),
      );
    const failed: string[] = [];
    for (const one of pending) {
      const isThis = one.kind === kind && says.every((word) => one.data.includes(word.slice(2)));
      if (isThis) cameTrue.push({ operationId: one.id, txHash });
      else failed.push(one.id);
    }
    await failOperations(tx, failed, now);
  }
  return cameTrue;
}
