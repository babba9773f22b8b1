import { sql } from "drizzle-orm";
import { beat } from "@/db/beat";
import { lockSql, type Tx, withoutTimeouts } from "@/db/client";
import { neverIdle } from "@/db/gate";
import { HOLDER } from "@/db/settings";
import type { ChainId } from "@/lib/base/network";

const CLASS = { index: 7_201, sweep: 7_202, relayers: 7_203, anchors: 7_204, reconcile: 7_205 } as const;

/**
 * Takes a chain's lock for the rest of the transaction. Returns false if another worker holds it. A process that is
 * frozen or cut off loses the transaction, and the lock with it, after 20 s.
 */
export async function tryChainLock(tx: Tx, what: keyof typeof CLASS, chainId: ChainId): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int) as locked,
      set_config('idle_in_transaction_session_timeout', ${String(HOLDER.idleMs)}, true)`,
  );
  if (!row?.locked) return false;
  neverIdle();
  return true;
}

/**
 * Runs `work` while this process holds a chain's lock. Returns false, without running it, if another worker holds the
 * lock. The lock has a connection of its own outside the pool, so `work` may take as long as it needs and run its own
 * transactions. If that connection is lost, another worker may take the lock: from then on, `stillHeld`, which `work` is
 * given, throws. So it does in a process that was frozen for 20 s, whose lock PostgreSQL takes away. What `work` does
 * between two calls may happen at the same time as another worker's: it must check the rows that it changes.
 *
 * @throws what `work` throws, or that the lock was lost; in either case, `work` has ended by then
 */
export async function holdingChainLock(
  what: keyof typeof CLASS,
  chainId: ChainId,
  work: (stillHeld: () => Promise<void>) => Promise<void>,
): Promise<boolean> {
  let running: Promise<void> | undefined;
  try {
    return await lockSql().begin(async (tx) => {
      const [row] = await tx<{ locked: boolean }[]>`
        select pg_try_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int) as locked`;
      if (!row?.locked) return false;
      const endBeat = beat(tx);
      running = work(async () => void (await tx`select 1`)).finally(endBeat);
      await running;
      return true;
    });
  } finally {
    // A transaction that loses its connection fails at once, while the work goes on.
    await running?.catch(() => {});
  }
}

/** Waits for a chain's lock, without a time limit, and holds it for the rest of the transaction. */
export async function waitChainLock(tx: Tx, what: keyof typeof CLASS, chainId: ChainId): Promise<void> {
  await withoutTimeouts(tx);
  await tx.execute(sql`select pg_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int)`);
}
