import { and, asc, eq, inArray, isNull, lt, or, sql } from "drizzle-orm";
import type { Hex } from "viem";
import { db } from "@/db/client";
import { accounts } from "@/db/schema/accounts";
import { operations, outgoingTransactions, PAYMENT_KINDS } from "@/db/schema/chain";
import { transfers } from "@/db/schema/transfers";
import type { ChainId } from "@/lib/base/network";
import { log } from "@/lib/base/telemetry/log";
import { count, countOnSuccess } from "@/lib/base/telemetry/record";
import { askLedger } from "@/lib/chain/ask/ask-ledger";
import { successOf } from "@/lib/chain/ask/own-receipt";
import { type CursorRow, markOf, readIndexCursor, reindexSoon } from "@/lib/chain/index/cursor";
import { hasConfirmedTwin, isSamePayment } from "@/lib/chain/index/same-payment";
import { confirmTransfers } from "@/lib/payments/settle-transfer";
import { paymentsInEvents, type ShownPayment } from "./index-payments";
import { reopenPayments } from "./reopen-payments";
import { confirmOperations } from "./settle-operations";

/** How a payment can differ from the chain. */
export const MISMATCHES = ["confirmed_not_executed", "not_indexed", "undecided"] as const;
type Mismatch = (typeof MISMATCHES)[number];

/** The result of checking one payment against the chain. */
type Verdict =
  | { says: "agrees" }
  | { says: "wait" }
  | { says: "executed"; txHash: Hex }
  | { says: "differs"; how: Mismatch };

const AT_ONCE = 100;
/** A payment that changed this recently is left to normal settlement. */
const SETTLING_MS = 5_000;
/** How long after its deadline an open operation is reported to the operator. */
const OVERDUE_MS = 300_000;

/**
 * Compares payments with the chain, those unchecked for longest first, while their outcome can change and once after
 * that. Uses receipts and the index, and the ledger where these are not enough. A payment that the chain shows is
 * confirmed at once, with any missing events. Other differences must be seen twice before they are repaired: missing
 * events are read again, and payments confirmed without the chain are reopened. Until then each difference is recorded
 * in `operations.mismatch`.
 *
 * @param before payments checked since then are left out
 * @returns how many payments were checked
 */
export async function reconcilePayments(chainId: ChainId, before: Date): Promise<number> {
  const cursor = await readNow(chainId);
  if (!cursor?.whole) return 0;
  const due = await duePayments(chainId, before);
  const verdicts = await Promise.all(
    due.map(async (payment) => ({ payment, verdict: await compare(chainId, payment, cursor) })),
  );
  // If the index has moved on in the meantime, a payment may have been settled since the comparison.
  const moved = (await readNow(chainId))?.blockHash !== cursor.blockHash;
  const agreed: string[] = [];
  const unclear: string[] = [];
  for (const { payment, verdict } of verdicts) {
    if (verdict.says === "agrees") agreed.push(payment.id);
    else if (verdict.says === "executed") await confirm(chainId, payment, verdict.txHash);
    else if (verdict.says === "differs" && !moved) await note(chainId, payment, verdict.how);
    else unclear.push(payment.id);
  }
  const now = new Date();
  await mark(agreed, { checkedAt: now, reconciledAt: now, mismatch: null });
  await mark(unclear, { checkedAt: now });
  return due.length;
}

const readNow = (chainId: ChainId) => db().transaction((tx) => readIndexCursor(tx, chainId));

type Payment = Awaited<ReturnType<typeof duePayments>>[number];

function duePayments(chainId: ChainId, before: Date) {
  const settling = new Date(Date.now() - SETTLING_MS);
  return db()
    .select({
      id: operations.id,
      kind: operations.kind,
      account: operations.account,
      data: operations.data,
      deadline: operations.deadline,
      mismatch: operations.mismatch,
      status: transfers.status,
      txHash: transfers.txHash,
      transferKind: transfers.kind,
      asset: transfers.asset,
      commitment: transfers.newCommitment,
      knownBy: sql<Hex | null>`coalesce(${transfers.note}, ${transfers.paymentId})`.mapWith(transfers.newCommitment),
      recipient: transfers.recipientAddress,
      payer: accounts.address,
    })
    .from(operations)
    .innerJoin(transfers, eq(transfers.operationId, operations.id))
    .innerJoin(accounts, eq(accounts.id, transfers.payerId))
    .where(
      and(
        eq(operations.chainId, chainId),
        inArray(operations.kind, [...PAYMENT_KINDS]),
        // Payments of a batch happen together, so the first stands for all.
        sql`coalesce(${transfers.batchIndex}, 0) = 0`,
        isNull(operations.reconciledAt),
        or(isNull(operations.checkedAt), lt(operations.checkedAt, before)),
        sql`coalesce(${operations.settledAt}, ${operations.createdAt}) < ${settling.toISOString()}::timestamptz`,
      ),
    )
    .orderBy(sql`${operations.checkedAt} nulls first`, asc(operations.id))
    .limit(AT_ONCE);
}

async function compare(chainId: ChainId, payment: Payment, cursor: CursorRow): Promise<Verdict> {
  try {
    const indexed = await shownByIndex(payment.id);
    const carried = await carriedBy(chainId, payment, cursor, indexed);
    if (carried && !indexed) return { says: "differs", how: "not_indexed" };
    if (carried && payment.status === "confirmed") return { says: "agrees" };
    if (carried) return { says: "executed", txHash: carried };
    if (indexed) return { says: "differs", how: "undecided" };
    return await unseen(chainId, payment, cursor);
  } catch (error) {
    log().warn({ err: error, chainId, operationId: payment.id }, "a payment could not be held against the chain");
    return { says: "wait" };
  }
}

/** Returns the transaction in which the index shows the payment, unless another operation made it. */
async function shownByIndex(operationId: string): Promise<Hex | undefined> {
  const [row] = await db().execute<{ hash: Buffer }>(sql`
    select p.tx_hash as hash from transfers t join accounts a on a.id = t.payer_id
    join ledger_payments p on ${isSamePayment}
    where t.operation_id = ${operationId} and coalesce(t.batch_index, 0) = 0 and not ${hasConfirmedTwin}`);
  return row && `0x${row.hash.toString("hex")}`;
}

/**
 * Reports whether a ledger event is the payment, by its note or payment id. The commitment that it leaves is not
 * enough.
 */
function isPayment(payment: Payment, shown: ShownPayment): boolean {
  return (
    shown.kind === payment.transferKind &&
    shown.payer === payment.payer &&
    shown.asset === payment.asset &&
    shown.recipient === payment.recipient &&
    shown.knownBy === payment.knownBy &&
    shown.newCommitment === payment.commitment
  );
}

/** Returns the transaction in which the ledger shows the payment, among all candidates; null if there is none (yet). */
async function carriedBy(chainId: ChainId, payment: Payment, cursor: CursorRow, indexed?: Hex): Promise<Hex | null> {
  const attempts = await db()
    .select({ hash: outgoingTransactions.hash })
    .from(outgoingTransactions)
    .where(eq(outgoingTransactions.operationId, payment.id));
  const hashes = new Set([payment.txHash, ...attempts.map(({ hash }) => hash), ...(indexed ? [indexed] : [])]);
  const found = await Promise.all([...hashes].map((hash) => successOf(chainId, hash)));
  const carried = found.find(
    (success) =>
      success &&
      success.blockNumber <= cursor.blockNumber &&
      paymentsInEvents(chainId, success.events).some((shown) => isPayment(payment, shown)),
  );
  return carried?.txHash ?? null;
}

/** Judges a payment that neither receipts nor the index show. */
async function unseen(chainId: ChainId, payment: Payment, cursor: CursorRow): Promise<Verdict> {
  if (payment.status === "pending") {
    const overdue = payment.deadline.getTime() + OVERDUE_MS < cursor.blockTime.getTime();
    return overdue ? { says: "differs", how: "undecided" } : { says: "wait" };
  }
  const { outcome } = await askLedger(chainId, payment, markOf(cursor));
  if (outcome === "missed") return { says: "differs", how: "not_indexed" };
  if (outcome !== "never") return { says: "wait" };
  if (payment.status === "confirmed") return { says: "differs", how: "confirmed_not_executed" };
  return payment.deadline < cursor.blockTime ? { says: "agrees" } : { says: "wait" };
}

async function confirm(chainId: ChainId, payment: Payment, txHash: Hex): Promise<void> {
  log().error({ chainId, operationId: payment.id, status: payment.status }, "a payment is on the chain: confirmed");
  const now = new Date();
  await countOnSuccess(() =>
    db().transaction(async (tx) => {
      count("halcyon.reconcile.repairs", { kind: "executed_not_confirmed" });
      await confirmOperations(tx, chainId, [{ operationId: payment.id, txHash }], now);
      // Includes transfers whose status differed from their operation's.
      await confirmTransfers(tx, [{ operationId: payment.id, txHash, announced: false }], now);
    }),
  );
}

/** Records a difference. Repairs it, if possible, when it is seen for the second time. */
async function note(chainId: ChainId, payment: Payment, how: Mismatch): Promise<void> {
  const now = new Date();
  if (payment.mismatch !== how) {
    log().error({ chainId, operationId: payment.id, how }, "a payment differs from the chain");
    return mark([payment.id], { checkedAt: now, mismatch: how });
  }
  await mark([payment.id], { checkedAt: now });
  if (how === "undecided") return;
  await countOnSuccess(() =>
    db().transaction(async (tx) => {
      count("halcyon.reconcile.repairs", { kind: how });
      if (how === "not_indexed") await reindexSoon(tx, chainId);
      else await reopenPayments(tx, [payment.id], now);
    }),
  );
}

async function mark(
  ids: readonly string[],
  set: Partial<Pick<typeof operations.$inferInsert, "checkedAt" | "reconciledAt" | "mismatch">>,
): Promise<void> {
  if (ids.length === 0) return;
  await db()
    .update(operations)
    .set(set)
    .where(inArray(operations.id, [...ids]));
}
