import { and, eq, inArray, isNotNull, ne } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { anyOf } from "@/db/any-of";
import type { Tx } from "@/db/client";
import { operations, outgoingTransactions, PAYMENT_KINDS } from "@/db/schema/chain";
import { reservations } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { confirmTransfers } from "@/lib/payments/settle-transfer";
import type { CarriedOut } from "./compare-states-with-index";
import { failOperations } from "./fail-operations";
import { settleAuthority } from "./settle-authority";

/** An enrollment of an account or an agent, from a final event. */
export interface FinalEnrollment {
  kind: "enroll" | "enroll_agent";
  account: Address;
  /** The call's arguments besides the address: viewing key and payment key, or the agent's owner. */
  says: readonly Hex[];
  txHash: Hex;
}

/** What the final events of a range of blocks say about operations. */
interface FinalEvents {
  /** Operations found by the available balance commitments that became final, no matter who sent the transaction. */
  carriedOut: readonly CarriedOut[];
  enrollments: readonly FinalEnrollment[];
  /** Transactions with at least one ledger event. */
  txHashes: readonly Hex[];
  events: readonly LedgerEvent[];
}

/** Confirms the operations that final events show, with their transfers and events, in the index's transaction. */
export async function settleOperations(tx: Tx, chainId: ChainId, events: FinalEvents, now: Date): Promise<void> {
  const mined = await markMined(tx, chainId, events.txHashes);
  const enrolled = await judgeEnrollments(tx, chainId, events.enrollments, now);
  const decided = await settleAuthority(tx, chainId, events.events);
  await confirmOperations(tx, chainId, [...mined, ...enrolled, ...decided, ...events.carriedOut], now);
}

/**
 * Confirms operations that the chain shows as carried out, with their transfers and events, even if they were
 * considered failed. Operations already confirmed don't change.
 */
export async function confirmOperations(
  tx: Tx,
  chainId: ChainId,
  carriedOut: readonly CarriedOut[],
  now: Date,
): Promise<void> {
  const hashOf = new Map(carriedOut.map((one) => [one.operationId, one.txHash]));
  if (hashOf.size === 0) return;
  const confirmed = await tx
    .update(operations)
    .set({ status: "confirmed", settledAt: now, resendAt: null, mismatch: null })
    .where(and(anyOf(operations.id, hashOf.keys()), ne(operations.status, "confirmed")))
    .returning({
      id: operations.id,
      kind: operations.kind,
      account: operations.account,
      reopenedAt: operations.reopenedAt,
    });
  if (confirmed.length === 0) return;
  const ids = confirmed.map(({ id }) => id);
  if (confirmed.some(({ kind }) => kind === "make_available")) {
    await tx.delete(reservations).where(anyOf(reservations.operationId, ids));
  }
  // Operations that failed because an earlier one was missing can be sent again now.
  await tx
    .update(operations)
    .set({ resendAt: now })
    .where(
      and(
        eq(operations.chainId, chainId),
        anyOf(operations.account, new Set(confirmed.map(({ account }) => account))),
        eq(operations.status, "pending"),
        isNotNull(operations.resendAt),
      ),
    );
  await confirmTransfers(
    tx,
    confirmed.flatMap(({ id, kind, reopenedAt }) => {
      const txHash = hashOf.get(id);
      return txHash && isPayment(kind) ? [{ operationId: id, txHash, announced: reopenedAt !== null }] : [];
    }),
    now,
  );
}

/** Reports whether operations of a kind are payments. */
export function isPayment(kind: string): boolean {
  return PAYMENT_KINDS.some((one) => one === kind);
}

async function markMined(tx: Tx, chainId: ChainId, hashes: readonly Hex[]): Promise<CarriedOut[]> {
  if (hashes.length === 0) return [];
  return tx
    .update(outgoingTransactions)
    .set({ status: "mined" })
    .where(and(eq(outgoingTransactions.chainId, chainId), anyOf(outgoingTransactions.hash, hashes)))
    .returning({ operationId: outgoingTransactions.operationId, txHash: outgoingTransactions.hash });
}

/**
 * Judges enrollments. An address enrolls once: the pending enrollment with the same arguments is final, and all others
 * will never be.
 */
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
      const isThis = one.kind === kind && says.every((commitment) => one.data.includes(commitment.slice(2)));
      if (isThis) cameTrue.push({ operationId: one.id, txHash });
      else failed.push(one.id);
    }
    await failOperations(tx, failed, now);
  }
  return cameTrue;
}

/**
 * Returns pending deposits of accounts that were just credited by someone else's transactions. A third party may have
 * submitted their authorizations.
 */
export async function depositsUnderWay(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<string[]> {
  const credited = new Set(events.flatMap((one) => (one.eventName === "Deposited" ? [one.args.account] : [])));
  if (credited.size === 0) return [];
  const rows = await tx
    .select({ id: operations.id })
    .from(operations)
    .where(
      and(
        eq(operations.chainId, chainId),
        eq(operations.kind, "deposit"),
        eq(operations.status, "pending"),
        anyOf(operations.account, credited),
      ),
    );
  return rows.map(({ id }) => id);
}
