import { availableParallelism } from "node:os";
import type { Tx } from "@/db/client";
import type { BudgetId } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { BATCH_PAYMENTS } from "@/lib/ledger/seal/batch-copy";
import { log } from "@/lib/telemetry/log";
import { type BatchedPayment, payBatchesLocked } from "./pay-batches-locked";
import type { PayerRecord } from "./read-payer";
import {
  type AskedPayment,
  joinQueue,
  leaveQueue,
  type MadePayment,
  takeWaiting,
  WaitingPayment,
} from "./waiting-payments";

/** A proof of a batch costs as much as some of one payment each: for fewer it is slower than those (bench/README.md). */
const LEAST_TOGETHER = 4;

/** How many batches a turn makes at most: their payments are responded to when all of them are made. */
const MOST_BATCHES = 4;

/**
 * Pays when its turn at the budget comes, and with it others that wait behind it, up to 16 to a proof: one transaction, a
 * transfer of each. It waits for none of them: what is not there when a batch is planned goes later. What is refused
 * together is undone, and its payments go singly, each in its own turn, so that each fails for itself alone.
 *
 * @param payAlone makes the payment singly, in the transaction that holds the budget's lock
 */
export async function payInTurn(
  budgetId: BudgetId,
  scope: Scope,
  says: PayerRecord,
  asked: AskedPayment,
  payAlone: (tx: Tx) => Promise<MadePayment>,
): Promise<MadePayment> {
  const mine = new WaitingPayment(asked);
  let others: WaitingPayment[] = [];
  /** Of the others, once nothing is left but to commit. */
  let unsaved: MadePayment[] | null = null;
  const giveBack = () => {
    joinQueue(budgetId, ...others);
    for (const other of others) other.giveBack();
    others = [];
  };
  const work = async (tx: Tx): Promise<MadePayment> => {
    // Of an attempt that PostgreSQL has undone.
    unsaved = null;
    giveBack();
    leaveQueue(budgetId, mine);
    const taking = (howMany: (waiting: number) => number) => {
      const more = takeWaiting(budgetId, howMany);
      others.push(...more);
      return more;
    };
    const together = mine.isAlone ? null : await tryTogether(tx, scope, says, mine, taking);
    if (!together) {
      for (const other of others) other.isAlone = true;
      giveBack();
      return payAlone(tx);
    }
    const [own, ...rest] = together;
    if (!own) throw new Error("a batch without the payment whose turn it is");
    unsaved = rest;
    return own;
  };
  joinQueue(budgetId, mine);
  const turn = withBudgets([budgetId], work, { done: () => mine.ended() }).then(
    (own) => {
      for (const [index, { created }] of (unsaved ?? []).entries()) others[index]?.paid(created);
      return own;
    },
    (error: unknown) => {
      leaveQueue(budgetId, mine);
      // Whether a commit that failed has happened is known to no one: paying them again could pay twice.
      if (unsaved) for (const other of others) other.failed(error);
      else giveBack();
      throw error;
    },
  );
  return Promise.race([turn, mine.byAnother]);
}

/** Takes as many of those that wait as the function says, which gets their number. */
type Take = (howMany: (waiting: number) => number) => readonly WaitingPayment[];

/**
 * The batches of a turn, each taken when it is asked for. None is a small one, and none but a full one begins another
 * round of the threads, for which the payments before it have to wait.
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

/** Makes payments together, below a savepoint; null when any of them, or all of them together, can't be. */
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
      // Without waiting in between, but until each has ended: what came after the savepoint is undone would stay.
      const ended = await Promise.allSettled(
        all.map(({ created }, index) => payments[index]?.asked.beforeCommit(inner, created)),
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
