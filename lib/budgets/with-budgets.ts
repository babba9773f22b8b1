import { setTimeout as sleep } from "node:timers/promises";
import { db, type Tx } from "@/db/client";
import { ApiError } from "@/lib/errors";
import { inPlace, inTurn } from "./in-turn";
import { type BudgetPlace, lockBudget } from "./lock";

const LEASE_POLL_MS = 200;
const LONGEST_WAIT_MS = 90_000;

class Leased extends Error {}

const nameOf = ({ chainId, account, asset }: BudgetPlace) => `${chainId}/${account}/${asset}`;

/** Who goes first, and what is locked before the budgets. */
export interface BudgetOptions {
  /** Of the lease whose holder asks: it does not wait for it to end. */
  leaseToken?: string;
  /** Runs first in the transaction: locks what comes before budgets in the order of locks. */
  first?: (tx: Tx) => Promise<void>;
}

/**
 * Runs `work` in a transaction that holds the locks of one budget or two (`fund`), taken in address order, after all
 * earlier work on them. While an owner's client has a lease on one of them it waits, without holding anything; the
 * holder of the lease does not wait.
 *
 * @throws unavailable when a budget stays leased for a minute and a half
 */
export async function withBudgets<T>(
  places: readonly BudgetPlace[],
  work: (tx: Tx) => Promise<T>,
  { leaseToken, first = async () => {} }: BudgetOptions = {},
): Promise<T> {
  const ordered = [...places].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const locked = () =>
    inPlace(() =>
      db().transaction(async (tx) => {
        await first(tx);
        await lockAll(tx, ordered, leaseToken);
        return work(tx);
      }),
    );
  // Those who wait for the lease to end keep their turns: its holder must not queue behind them.
  if (leaseToken) return untilUnleased(locked);
  const patient = () => untilUnleased(locked);
  return ordered.reduceRight<() => Promise<T>>((inner, place) => () => inTurn(nameOf(place), inner), patient)();
}

async function lockAll(tx: Tx, places: readonly BudgetPlace[], leaseToken?: string): Promise<void> {
  for (const place of places) {
    const lease = await lockBudget(tx, place);
    if (lease && lease.until.getTime() > Date.now() && lease.token !== leaseToken) throw new Leased();
  }
}

async function untilUnleased<T>(attempt: () => Promise<T>): Promise<T> {
  const giveUp = Date.now() + LONGEST_WAIT_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Leased)) throw error;
    }
    if (Date.now() > giveUp) {
      throw new ApiError("unavailable", "The account's owner is changing this budget. Try again shortly.", {
        retryAfter: 5,
      });
    }
    await sleep(LEASE_POLL_MS);
  }
}
