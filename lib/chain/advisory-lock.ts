import { sql } from "drizzle-orm";
import { lockSql, type Tx, unhurried } from "@/db/client";
import type { ChainId } from "@/lib/network";

const CLASS = { index: 7_201, sweep: 7_202, relayers: 7_203, anchors: 7_204, reconcile: 7_205 } as const;

/** Takes a chain's lock for the rest of the transaction. Returns false if another worker holds it. */
export async function tryChainLock(tx: Tx, what: keyof typeof CLASS, chainId: ChainId): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int) as locked`,
  );
  return row?.locked === true;
}

/**
 * Runs `work` while this process holds a chain's lock. Returns false, without running it, if another worker holds the
 * lock. The lock has a connection of its own outside the pool, so `work` may take as long as it needs and run its own
 * transactions. If that connection is lost, another worker may take the lock: from then on, `stillHeld`, which `work` is
 * given, throws.
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
      running = work(async () => void (await tx`select 1`));
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
  await unhurried(tx);
  await tx.execute(sql`select pg_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int)`);
}
