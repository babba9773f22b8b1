import type { Tx } from "@/db/client";
import type { BudgetId } from "@/lib/budgets/lock";
import { withBudgets } from "@/lib/budgets/with-budgets";
import { ApiError } from "@/lib/errors";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { BATCH_PAYMENTS } from "@/lib/ledger/seal/batch-copy";
import { log } from "@/lib/telemetry/log";
import { payBatchLocked } from "./pay-batch-locked";
import type { PayerRecord } from "./read-payer";
import {
  type AskedPayment,
  joinQueue,
  leaveQueue,
  type MadePayment,
  takeWaiting,
  WaitingPayment,
} from "./waiting-payments";

/**
 * Pays when its turn at the budget comes, and with it up to 15 others that wait behind it: one proof, one transaction, a
 * transfer of each. It waits for none of them: what is not there when the budget is locked goes later. A batch that is
 * refused is undone, and its payments go singly, each in its own turn, so that each fails for itself alone.
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
    if (!mine.isAlone) others = takeWaiting(budgetId, BATCH_PAYMENTS - 1);
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

/** Makes payments with one proof, below a savepoint; null when any of them, or all of them together, can't be. */
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
      const batch = payments.map(({ asked }) => ({ ...asked.payment, asked: asked.ctx }));
      const { operation, views } = await payBatchLocked(inner, ctx, {
        scope,
        says,
        asset: payment.asset,
        payments: batch,
      });
      const all: MadePayment[] = [];
      for (const [index, transfer] of views.entries()) {
        const created = { outcome: "paid", transfer } as const;
        await payments[index]?.asked.beforeCommit(inner, created);
        all.push({ created, operation });
      }
      return all;
    });
  } catch (error) {
    const code = error instanceof ApiError ? error.code : "internal";
    log().info({ err: code === "internal" ? error : undefined, code, payments: payments.length }, "batch goes singly");
    return null;
  }
}
