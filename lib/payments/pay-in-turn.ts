import { availableParallelism } from "node:os";
import type { Tx } from "@/db/client";
import type { AvailableId } from "@/lib/balances/lock";
import { withAvailableBalances } from "@/lib/balances/with-available-balances";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { log } from "@/lib/base/telemetry/log";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { BATCH_PAYMENTS } from "@/lib/ledger/encrypted/batch-copy";
import { type BatchedPayment, payBatchesLocked } from "./pay-batches-locked";
import { othersCame } from "./payments-on-their-way";
import type { PayerRecord } from "./read-payer";
import {
  type AskedPayment,
  joinQueue,
  leaveQueue,
  type MadePayment,
  takeWaiting,
  WaitingPayment,
  waitingAt,
} from "./waiting-payments";

/** Proving a batch costs as much as some single payments, so with fewer payments it is slower (bench/README.md). */
const LEAST_TOGETHER = 4;

/** The most batches of a turn. Their responses are sent when all of them are paid. */
const MOST_BATCHES = 4;

/**
 * Pays when the payment's turn at the available balance comes, together with others that wait behind it, up to 16 per
 * proof, in one transaction with one transfer each. Waits for others only for a moment, while four or more are being
 * looked up ({@link othersCame}): payments that arrive after a batch is planned are paid later. If a batch is refused,
 * it is rolled back and its payments are paid one by one, each in its own turn, so that each fails only for its own
 * reasons.
 *
 * @param payAlone makes the payment on its own, in the transaction that holds the available balance's lock
 */
export async function payInTurn(
  availableId: AvailableId,
  scope: Scope,
  says: PayerRecord,
  asked: AskedPayment,
  payAlone: (tx: Tx) => Promise<MadePayment>,
): Promise<MadePayment> {
  const mine = new WaitingPayment(asked);
  let others: WaitingPayment[] = [];
  /** The other payments, once only the commit is left. */
  let unsaved: MadePayment[] | null = null;
  const giveBack = () => {
    joinQueue(availableId, ...others);
    for (const other of others) other.giveBack();
    others = [];
  };
  const work = async (tx: Tx): Promise<MadePayment> => {
    // Reset after an attempt that PostgreSQL has rolled back.
    unsaved = null;
    giveBack();
    leaveQueue(availableId, mine);
    const taking = (howMany: (waiting: number) => number) => {
      const more = takeWaiting(availableId, howMany);
      others.push(...more);
      return more;
    };
    const together = mine.isAlone ? null : await tryTogether(tx, scope, says, mine, taking);
    if (!together) {
      for (const other of others) other.isAlone = true;
      giveBack();
      const own = await payAlone(tx);
      await asked.around.beforeCommit?.(tx, own.created);
      return own;
    }
    const [own, ...rest] = together;
    if (!own) throw new Error("a batch without the payment whose turn it is");
    unsaved = rest;
    return own;
  };
  /**
   * Returns what another payment's turn has made of it; otherwise waits for payments that are on their way at the same
   * time.
   */
  const done = async () => {
    const byAnother = await mine.ended();
    const amount = { least: LEAST_TOGETHER, enough: BATCH_PAYMENTS };
    if (!byAnother && !mine.isAlone) await othersCame(availableId, () => waitingAt(availableId), amount);
    return byAnother;
  };
  joinQueue(availableId, mine);
  const turn = withAvailableBalances([availableId], work, { done }).then(
    (own) => {
      for (const [index, { created }] of (unsaved ?? []).entries()) others[index]?.paid(created);
      return own;
    },
    async (error: unknown) => {
      // Its client has left, but another payment's turn may have it. That turn decides what becomes of it.
      for (leaveQueue(availableId, mine); mine.isTaken; leaveQueue(availableId, mine)) {
        const byAnother = await mine.ended();
        if (byAnother) return byAnother;
      }
      // If the commit failed, no one knows whether it happened. Paying the others again could pay them twice.
      if (unsaved) for (const other of others) other.failed(error);
      else giveBack();
      throw error;
    },
  );
  return Promise.race([turn, mine.byAnother]);
}

/** Takes waiting payments. The function gets the number that wait and returns how many to take. */
type Take = (howMany: (waiting: number) => number) => readonly WaitingPayment[];

/**
 * Yields the batches of a turn, each taken when it is requested. None is small, and only a full batch starts another
 * round of proofs, for which the payments before it have to wait.
 */
function* batchesOf(mine: WaitingPayment, take: Take): Generator<readonly WaitingPayment[]> {
  const first = take((waiting) => (waiting + 1 < LEAST_TOGETHER ? 0 : Math.min(waiting, BATCH_PAYMENTS - 1)));
  if (first.length === 0) return;
  yield [mine, ...first];
  const threads = env().proverWorkers ?? availableParallelism();
  for (let begun = 1; begun < MOST_BATCHES; begun++) {
    const least = begun % threads === 0 ? BATCH_PAYMENTS : LEAST_TOGETHER;
    const next = take((waiting) => (waiting < least ? 0 : Math.min(waiting, BATCH_PAYMENTS)));
    if (next.length === 0) return;
    yield next;
  }
}

/** Makes payments together, inside a savepoint. Returns null if any of them, or all of them together, can't be made. */
async function tryTogether(
  tx: Tx,
  scope: Scope,
  says: PayerRecord,
  mine: WaitingPayment,
  take: Take,
): Promise<MadePayment[] | null> {
  const { ctx, payment } = mine.asked;
  const waited = batchesOf(mine, take);
  const first = waited.next();
  if (first.done) return null;
  const payments: WaitingPayment[] = [];
  function* batches(): Generator<readonly BatchedPayment[]> {
    for (let batch = first; !batch.done; batch = waited.next()) {
      payments.push(...batch.value);
      yield batch.value.map(({ asked }) => ({ ...asked.payment, asked: asked.ctx }));
    }
  }
  try {
    return await tx.transaction(async (inner) => {
      const locked = { scope, says, asset: payment.asset, batches: batches() };
      const recorded = await payBatchesLocked(inner, ctx, locked);
      const [operations, views] = [recorded.map(({ operation }) => operation), recorded.flatMap(({ views }) => views)];
      const all = views.map((transfer): MadePayment => ({ created: { outcome: "paid", transfer }, operations }));
      // Run in parallel, but wait until each has ended. Otherwise a write that comes after the savepoint's rollback
      // would stay.
      const ended = await Promise.allSettled(
        all.map(({ created }, index) => payments[index]?.asked.around.beforeCommit?.(inner, created)),
      );
      for (const one of ended) if (one.status === "rejected") throw one.reason;
      return all;
    });
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "internal";
    log().info({ err: code === "internal" ? error : undefined, code, payments: payments.length }, "batch goes singly");
    return null;
  }
}
