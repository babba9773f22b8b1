import { sql } from "drizzle-orm";
import type { Tx } from "@/db/client";
import type { ChainId } from "@/lib/network";

const CLASS = { index: 7_201, sweep: 7_202, relayers: 7_203 } as const;

/** Takes a chain's lock for the rest of the transaction; false when another worker has it. */
export async function tryChainLock(tx: Tx, what: keyof typeof CLASS, chainId: ChainId): Promise<boolean> {
  const [row] = await tx.execute<{ locked: boolean }>(
    sql`select pg_try_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int) as locked`,
  );
  return row?.locked === true;
}

/** Waits for a chain's lock and holds it for the rest of the transaction. */
export async function waitChainLock(tx: Tx, what: keyof typeof CLASS, chainId: ChainId): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(${CLASS[what]}::int, ${chainId}::int)`);
}
