import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Hex } from "viem";
import type { Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { availableCommitments, depositedBalances, ledgerPayments, notes } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { chainEnv } from "@/lib/chain/clients";
import { type BlockMark, blockAt, readIndexCursor, writeIndexCursor } from "@/lib/chain/index/cursor";
import { readNextEvents } from "@/lib/chain/index/read-next-events";
import { commitmentToHex } from "@/lib/ledger/crypto/field";
import type { LedgerEvent } from "@/lib/ledger/ledger-events";
import { announceMovements } from "./announce-movements";
import { availableChanges, indexEvents } from "./apply-events";
import type { CarriedOut } from "./compare-states-with-index";
import { failOrphanedStates } from "./fail-orphaned-states";
import { failOutdated } from "./fail-outdated";
import { followAgents } from "./follow-agents";
import { rebuildLostPayments } from "./rebuild-lost-payments";
import { resyncTransfers } from "./resync-transfers";
import { recordWords } from "./settle-available-balances";
import { confirmOperations } from "./settle-operations";

/**
 * Rebuilds the whole index of a chain from its events up to `until`: records, deposited money, notes, commitments and
 * payments. Then updates transfers and moves to the available balance to match. Encrypted states stay. The caller must
 * hold the chain's index lock.
 *
 * @param onProgress called with the number of events in each range
 */
export async function rebuildIndex(
  tx: Tx,
  chainId: ChainId,
  until: BlockMark,
  onProgress: (block: bigint, events: number) => void = () => {},
): Promise<void> {
  const announcedTo = await keptTo(tx, chainId);
  const now = new Date();
  await tx.delete(notes).where(eq(notes.chainId, chainId));
  await tx.delete(depositedBalances).where(eq(depositedBalances.chainId, chainId));
  await tx.delete(availableCommitments).where(eq(availableCommitments.chainId, chainId));
  await tx.delete(ledgerPayments).where(eq(ledgerPayments.chainId, chainId));
  // Records without a block are pending enrollments, which the chain does not have yet.
  await tx
    .delete(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), isNotNull(ledgerAccounts.enrolledBlock)));
  const madeAvailable: CarriedOut[] = [];
  let before: Hex | null = null;
  for (let from = chainEnv(chainId).ledgerBlock; from <= until.number; ) {
    const { end, events }: Awaited<ReturnType<typeof readNextEvents>> = await readNextEvents(
      chainId,
      from,
      until,
      before,
    );
    await indexEvents(tx, chainId, events);
    await recordWords(tx, chainId, availableChanges(events));
    madeAvailable.push(...(await madeAvailableIn(tx, chainId, events)));
    await announceMovements(
      tx,
      chainId,
      events.filter(({ blockNumber }) => blockNumber > announcedTo),
      now,
    );
    onProgress(end.number, events.length);
    before = end.hash;
    from = end.number + 1n;
  }
  await writeIndexCursor(tx, chainId, until, true);
  await followAgents(tx, chainId, now);
  await failOrphanedStates(tx, chainId);
  await confirmOperations(tx, chainId, madeAvailable, now);
  await resyncTransfers(tx, chainId);
  await failOutdated(tx, chainId, now);
  await rebuildLostPayments(tx, chainId, 0n, now);
}

/** Returns the block up to which the chain is still the one that was indexed, and whose events were announced. */
async function keptTo(tx: Tx, chainId: ChainId): Promise<bigint> {
  const cursor = await readIndexCursor(tx, chainId);
  if (cursor?.ledger !== chainEnv(chainId).ledger.toLowerCase()) return 0n;
  return (await blockAt(chainId, cursor.blockNumber))?.hash === cursor.blockHash ? cursor.blockNumber : 0n;
}

/**
 * Returns the moves to the available balance that events carry out and that are not confirmed yet, no matter who sent
 * the transactions. They are known by the commitments they leave. If several operations are to leave one commitment,
 * because a move to the available balance was tried again, it is one that has not failed, and none if one of them is
 * confirmed.
 */
async function madeAvailableIn(tx: Tx, chainId: ChainId, events: readonly LedgerEvent[]): Promise<CarriedOut[]> {
  const shown = events.flatMap((event) => {
    if (event.eventName !== "MadeAvailable") return [];
    const { account, asset, newAvailable } = event.args;
    return [[account, asset, commitmentToHex(newAvailable), event.transactionHash].map((hex) => `\\x${hex.slice(2)}`)];
  });
  if (shown.length === 0) return [];
  const column = (at: number) => sql`${sql.param(shown.map((row) => row[at]))}::text[]::bytea[]`;
  const rows = await tx.execute<{ id: string; hash: string }>(sql`
    select id, encode(hash, 'hex') as hash from (
      select distinct on (e.account, e.asset, e.commitment) o.id, o.status, e.hash
      from unnest(${column(0)}, ${column(1)}, ${column(2)}, ${column(3)}) as e (account, asset, commitment, hash)
      join available_states s on s.chain_id = ${chainId} and s.account = e.account and s.asset = e.asset
        and s.commitment = e.commitment
      join operations o on o.id = s.operation_id and o.kind = 'make_available'
      order by e.account, e.asset, e.commitment, o.status = 'confirmed' desc, o.status = 'pending' desc, s.id desc
    ) made where status <> 'confirmed'`);
  return rows.map(({ id, hash }) => ({ operationId: id, txHash: `0x${hash}` as Hex }));
}
