import { setTimeout as sleep } from "node:timers/promises";
import { db, type Tx } from "@/db/client";
import { waitUnlessClientLeft } from "@/lib/base/client-left";
import { giveWay } from "@/lib/base/current-account";
import { ApiError } from "@/lib/base/errors";
import { optimisticRead } from "@/lib/chain/optimistic-read";
import { inSlot, inTurn } from "./in-turn";
import { type AvailableId, lockAvailable } from "./lock";

const LOCK_POLL_MS = 200;
const LONGEST_WAIT_MS = 90_000;

const MOST_DEADLOCKS = 3;

class BalanceLocked extends Error {}

/** Reports whether PostgreSQL rolled the transaction back to resolve a deadlock (`deadlock_detected`). */
function isDeadlock(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "40P01") || isDeadlock(error.cause);
}

const nameOf = ({ chainId, account, asset }: AvailableId) => `${chainId}/${account}/${asset}`;

/** How the work is queued, what it reads before its transaction, and what it locks before the available balances. */
interface AvailableOptions<T, R> {
  /** Runs when it is the work's turn, before its transaction. Runs again if the transaction throws `ReadAgain`. */
  read?: (() => Promise<R>) | undefined;
  /**
   * The name of one more turn to wait for, after those of the available balances. Shared with the work that changes
   * what `read` reads.
   */
  turn?: string | undefined;
  /** The token of the balance lock that the caller holds. Its holder does not wait for the lock to end. */
  lockToken?: string | undefined;
  /**
   * Called at the work's turn and before each attempt. Returns a result if other work has done this work in the
   * meantime.
   */
  done?: () => Promise<T | undefined>;
  /** Runs first in the transaction, for locks that precede available balances in the lock order. */
  first?: (tx: Tx) => Promise<void>;
}

/**
 * Runs `work` in a transaction that holds the locks of one or two available balances (two for `fund`), taken in address
 * order, after all earlier work on them. While an owner's client holds a balance lock on one, it waits without holding
 * anything; its holder does not wait. An operation that fails on chain voids states of several available balances in
 * whatever order it finds them. If that causes a deadlock, the work starts over.
 *
 * @throws ApiError `unavailable` if a balance lock lasts a minute and a half, or if the request's client leaves before
 *   its work's turn
 */
export async function withAvailableBalances<T, R = undefined>(
  availableIds: readonly AvailableId[],
  work: (tx: Tx, read: R) => Promise<T>,
  { lockToken, read = async () => undefined as R, turn, first = async () => {}, done }: AvailableOptions<T, R> = {},
): Promise<T> {
  giveWay();
  const ordered = [...availableIds].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const reading = async () =>
    (await done?.()) ??
    optimisticRead(read, (said) =>
      inSlot(() =>
        db().transaction(async (tx) => {
          await first(tx);
          await lockAll(tx, ordered, lockToken);
          return work(tx, said);
        }),
      ),
    );
  const locked = () => (turn === undefined ? reading() : inTurn(turn, reading));
  // Work that waits for a balance lock keeps its turn. Its holder must not queue behind it.
  if (lockToken) return persistently(locked);
  const patient = () => persistently(locked);
  return ordered.reduceRight<() => Promise<T>>(
    (inner, availableId) => () => inTurn(nameOf(availableId), inner),
    patient,
  )();
}

async function lockAll(tx: Tx, availableIds: readonly AvailableId[], lockToken?: string): Promise<void> {
  for (const availableId of availableIds) {
    const held = await lockAvailable(tx, availableId);
    if (held && held.left > 0 && held.token !== lockToken) throw new BalanceLocked();
  }
}

/** Retries while a balance lock is held, and after a deadlock. */
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
      if (!(error instanceof BalanceLocked)) throw error;
    }
    if (Date.now() > giveUp) {
      throw new ApiError("unavailable", "The account's owner is changing this balance. Try again shortly.", {
        retryAfter: 5,
      });
    }
    await waitUnlessClientLeft(sleep(LOCK_POLL_MS));
  }
}
