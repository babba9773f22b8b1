import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx, unhurried } from "@/db/client";
import { chainCursors } from "@/db/schema/ledger";
import { log } from "@/lib/log";
import type { ChainId } from "@/lib/network";
import { failExpired } from "@/lib/operations/settle";
import { countOnSuccess } from "@/lib/telemetry/record";
import { inSpan } from "@/lib/telemetry/span";
import { tryChainLock } from "./advisory-lock";
import { chainEnv } from "./clients";
import { applyEvents } from "./index/apply";
import { type BlockMark, blockAt, type CursorRow, finalBlock, readCursor, writeCursor } from "./index/cursor";
import { RANGE } from "./index/range";
import { rebuildIndex } from "./index/rebuild";
import { readLedgerEvents } from "./ledger-events";

/** `behind`: there is more to index at once. `busy`: another worker indexes, or the chain has yet to catch up. */
export type Progress = "current" | "behind" | "busy" | "halted";

// A span of a whole range of blocks names so many of its transactions.
const TRACED_HASHES = 50;

// The final block up to which this process has seen everything indexed: nothing to ask the database while it stays.
const reached = new Map<ChainId, Hex>();

/**
 * Indexes the next range of final blocks: events, settlement and cursor in one transaction, by one worker at a time.
 * Costs one request when there is nothing new.
 */
export async function indexNext(chainId: ChainId): Promise<Progress> {
  const head = await finalBlock(chainId);
  if (reached.get(chainId) === head.hash) return "current";
  const work = async (tx: Tx): Promise<Progress> => {
    if (!(await tryChainLock(tx, "index", chainId))) return "busy";
    const cursor = await readCursor(tx, chainId);
    if (!cursor) return indexRange(tx, chainId, chainEnv(chainId).ledgerBlock, head);
    if (isCurrent(cursor, chainId, head)) return "current";
    if (cursor.halted) return "halted";
    // A node that lags, or a local chain that is replaying its blocks after a crash: they will come.
    if (head.number < cursor.blockNumber) return "busy";
    if (!(await isOnChain(cursor, chainId))) return lostBlock(tx, chainId, head);
    return indexRange(tx, chainId, cursor.blockNumber + 1n, head);
  };
  const progress = await countOnSuccess(() => db().transaction(work));
  if (progress === "current") reached.set(chainId, head.hash);
  return progress;
}

function isCurrent(cursor: CursorRow, chainId: ChainId, head: BlockMark): boolean {
  return cursor.blockHash === head.hash && cursor.ledger === chainEnv(chainId).ledger.toLowerCase();
}

async function isOnChain(cursor: CursorRow, chainId: ChainId): Promise<boolean> {
  if (cursor.ledger !== chainEnv(chainId).ledger.toLowerCase()) return false;
  const block = await blockAt(chainId, cursor.blockNumber);
  return block?.hash === cursor.blockHash;
}

async function indexRange(tx: Tx, chainId: ChainId, from: bigint, head: BlockMark): Promise<Progress> {
  const last = from + RANGE - 1n;
  const end = last < head.number ? await blockAt(chainId, last) : head;
  if (!end) throw new Error("a block below the final one is missing");
  const now = new Date();
  const events = from > end.number ? [] : await readLedgerEvents(chainId, from, end.number);
  if (events.length > 0) {
    const hashes = [...new Set(events.map(({ transactionHash }) => transactionHash))].slice(0, TRACED_HASHES);
    const attributes = { "halcyon.chain_id": chainId, "halcyon.tx_hashes": hashes };
    await inSpan("settle", attributes, () => applyEvents(tx, chainId, events, now));
  }
  await writeCursor(tx, chainId, end);
  await failExpired(tx, chainId, end.time, now);
  return end.number < head.number ? "behind" : "current";
}

/** A final block is gone. A local chain was reset: index it anew. Elsewhere it must not happen: stop and say so. */
async function lostBlock(tx: Tx, chainId: ChainId, head: BlockMark): Promise<Progress> {
  if (chainEnv(chainId).local) {
    await unhurried(tx);
    log().error({ chainId }, "the local chain lost indexed blocks: indexing it anew");
    await rebuildIndex(tx, chainId, head);
    return "current";
  }
  log().error({ chainId }, "a final block left the chain: indexing stops until `npm run reindex`");
  await tx.update(chainCursors).set({ halted: true }).where(eq(chainCursors.chainId, chainId));
  return "halted";
}
