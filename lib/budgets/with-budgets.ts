import { setTimeout as sleep } from "node:timers/promises";
import { db, type Tx } from "@/db/client";
import { readingAgain } from "@/lib/chain/read-again";
import { ApiError } from "@/lib/errors";
import { inSlot, inTurn } from "./in-turn";
import { type BudgetId, lockBudget } from "./lock";

const LEASE_POLL_MS = 200;
const LONGEST_WAIT_MS = 90_000;

const MOST_DEADLOCKS = 3;

class Leased extends Error {}

/** Whether PostgreSQL has rolled a transaction back because several waited for each other (`deadlock_detected`). */
function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "40P01") || isDeadlock(error.cause);
}

const nameOf = ({ chainId, account, asset }: BudgetId) => `${chainId}/${account}/${asset}`;

/** Who goes first, what is read before the transaction and what is locked before the budgets. */
interface BudgetOptions<T, R> {
  /** Reads when it is the work's turn, before its transaction; read again where that throws `ReadAgain`. */
  read?: () => Promise<R>;
  /** A turn that it takes as well, behind those of the budgets: of what changes what is read. */
  turn?: string | undefined;
  /** Of the lease whose holder asks: it does not wait for it to end. */
  leaseToken?: string;
  /** Asked when its turn has come, and before each attempt: what others have done for it meanwhile. */
  done?: () => Promise<T | undefined>;
  /** Runs first in the transaction: locks what comes before budgets in the order of locks. */
  first?: (tx: Tx) => Promise<void>;
}

/**
 * Runs `work` in a transaction that holds the locks of one budget or two (`fund`), taken in address order, after all
 * earlier work on them. While an owner's client has a lease on one of them it waits, without holding anything; the
 * holder of the lease does not wait. What fails on chain voids states of one budget after the other, as it finds them:
 * work that got in its way is begun again.
 *
 * @throws unavailable when a budget stays leased for a minute and a half
 */
export async function withBudgets<T, R = undefined>(
  budgetIds: readonly BudgetId[],
  work: (tx: Tx, read: R) => Promise<T>,
  { leaseToken, read = async () => undefined as R, turn, first = async () => {}, done }: BudgetOptions<T, R> = {},
): Promise<T> {
  const ordered = [...budgetIds].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const reading = async () =>
    (await done?.()) ??
    readingAgain(read, (said) =>
      inSlot(() =>
        db().transaction(async (tx) => {
          await first(tx);
          await lockAll(tx, ordered, leaseToken);
          return work(tx, said);
        }),
      ),
    );
  const locked = () => (turn === undefined ? reading() : inTurn(turn, reading));
  // Those who wait for the lease to end keep their turns: its holder must not queue behind them.
  if (leaseToken) return persistently(locked);
  const patient = () => persistently(locked);
  return ordered.reduceRight<() => Promise<T>>((inner, budgetId) => () => inTurn(nameOf(budgetId), inner), patient)();
}

async function lockAll(tx: Tx, budgetIds: readonly BudgetId[], leaseToken?: string): Promise<void> {
  for (const budgetId of budgetIds) {
    const lease = await lockBudget(tx, budgetId);
    if (lease && lease.until.getTime() > Date.now() && lease.token !== leaseToken) throw new Leased();
  }
}

/** Makes attempts until one is neither kept out by a lease nor ended by the database to resolve a deadlock. */
async function persistently<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUp = Date.now() + LONGEST_WAIT_MS;
  for (let deadlocks = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (isDeadlock(error) && deadlocks < MOST_DEADLOCKS) {
        deadlocks += 1;
        continue;
      }
      if (!(error instanceof Leased)) throw error;
    }
    if (Date.now() > giveUp) {
      throw new ApiError("unavailable", "The account's owner is changing this balance. Try again shortly.", {
        retryAfter: 5,
      });
    }
    await sleep(LEASE_POLL_MS);
  }
}
