import { availableParallelism } from "node:os";
import type { Tx } from "@/db/client";
import type { BudgetId } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { env } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { BATCH_PAYMENTS } from "@/lib/ledger/seal/batch-copy";
import { log } from "@/lib/telemetry/log";
import { payBatchesLocked } from "./pay-batches-locked";
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

/** How many batches a turn proves at once at most, each on a thread of its own. */
const MOST_BATCHES = 4;

/**
 * Pays when its turn at the budget comes, and with it others that wait behind it, up to 16 to a proof: one transaction, a
 * transfer of each. It waits for none of them: what is not there when the budget is locked goes later. What is refused
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
    if (!mine.isAlone) others = takeWaiting(budgetId, withOthers);
    const together = others.length > 0 ? await tryTogether(tx, scope, says, [mine, ...others]) : null;
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

/** Of those that wait, with how many the payment goes whose turn it is: no batch of them is a small one. */
function withOthers(waiting: number): number {
  const threads = env().proverWorkers ?? availableParallelism();
  const all = Math.min(waiting + 1, BATCH_PAYMENTS * Math.min(threads, MOST_BATCHES));
  const last = all % BATCH_PAYMENTS;
  return Math.max(0, (last < LEAST_TOGETHER ? all - last : all) - 1);
}

/** Makes payments together, below a savepoint; null when any of them, or all of them together, can't be. */
async function tryTogether(
  tx: Tx,
  scope: Scope,
  says: PayerRecord,
  payments: readonly WaitingPayment[],
): Promise<MadePayment[] | null> {
  const [first] = payments;
  if (!first) return null;
  const { ctx, payment } = first.asked;
  try {
    return await tx.transaction(async (inner) => {
      const list = payments.map(({ asked }) => ({ ...asked.payment, asked: asked.ctx }));
      const batches = Array.from({ length: Math.ceil(list.length / BATCH_PAYMENTS) }, (_, index) =>
        list.slice(index * BATCH_PAYMENTS, (index + 1) * BATCH_PAYMENTS),
      );
      const recorded = await payBatchesLocked(inner, ctx, { scope, says, asset: payment.asset, batches });
      const [operations, views] = [recorded.map(({ operation }) => operation), recorded.flatMap(({ views }) => views)];
      const all: MadePayment[] = [];
      for (const [index, transfer] of views.entries()) {
        const created = { outcome: "paid", transfer } as const;
        await payments[index]?.asked.beforeCommit(inner, created);
        all.push({ created, operations });
      }
      return all;
    });
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "internal";
    log().info({ err: code === "internal" ? error : undefined, code, payments: payments.length }, "batch goes singly");
    return null;
  }
}
