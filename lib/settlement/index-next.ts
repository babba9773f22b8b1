import { eq } from "drizzle-orm";
import type { Hex } from "viem";
import { db, type Tx, withoutTimeouts } from "@/db/client";
import { chainCursors } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { inSpan } from "@/lib/base/telemetry/in-span";
import { log } from "@/lib/base/telemetry/log";
import { countOnSuccess } from "@/lib/base/telemetry/record";
import { tryChainLock } from "@/lib/chain/advisory-lock";
import { chainEnv } from "@/lib/chain/clients";
import {
  type BlockMark,
  blockAt,
  type CursorRow,
  finalBlock,
  markOf,
  readIndexCursor,
  writeIndexCursor,
} from "@/lib/chain/index/cursor";
import { readNextEvents } from "@/lib/chain/index/read-next-events";
import { applyEvents } from "./apply-events";
import { rebuildIndex } from "./rebuild-index";
import { resolveUnclearOperations } from "./resolve-unclear-operations";

/** `behind`: there is more to index at once. `busy`: another worker is indexing, or the node is behind. */
type IndexProgress = "current" | "behind" | "busy" | "halted";

// The span of a range of blocks lists at most this many of its transactions.
const TRACED_HASHES = 50;

/** Reading more blocks than this may exceed the usual time limit of a transaction. */
const SHORT = 100n;
/**
 * How often in a row the cursor's block must be missing before we act on it. A single response from a node on another
 * chain must not stop indexing.
 */
const LOST_IN_A_ROW = 5;

// The final block up to which this process knows that everything is indexed. While it stays the same, the database need
// not be queried.
const reached = new Map<ChainId, Hex>();
const lost = new Map<ChainId, number>();

interface Step {
  progress: IndexProgress;
  /** Operations that seem to be over: the ledger must be asked about them. */
  doubtful: string[];
}

const nothing = (progress: IndexProgress): Step => ({ progress, doubtful: [] });

/**
 * Indexes the next range of final blocks: events, settlement and cursor in one transaction, in one worker at a time.
 * Costs one request when there is nothing new. Does nothing if a node's responses contradict each other.
 */
export async function indexNext(chainId: ChainId): Promise<IndexProgress> {
  const head = await finalBlock(chainId);
  if (reached.get(chainId) === head.hash) return "current";
  const { progress, doubtful } = await countOnSuccess(() => db().transaction((tx) => step(tx, chainId, head)));
  if (progress === "current" && (await resolveUnclearOperations(chainId, doubtful))) reached.set(chainId, head.hash);
  return progress;
}

async function step(tx: Tx, chainId: ChainId, head: BlockMark): Promise<Step> {
  if (!(await tryChainLock(tx, "index", chainId))) return nothing("busy");
  const cursor = await readIndexCursor(tx, chainId);
  if (!cursor) return indexRange(tx, chainId, chainEnv(chainId).ledgerBlock, head, null);
  // The node lags, or a local chain is replaying its blocks after a crash. The blocks will come.
  if (head.number < cursor.blockNumber) return nothing("busy");
  const standing = await standingOf(cursor, chainId, head);
  if (standing === "unknown") return nothing("busy");
  if (standing === "lost") return lostBlock(tx, chainId, cursor, head);
  lost.delete(chainId);
  if (!cursor.whole) {
    await withoutTimeouts(tx);
    await rebuildIndex(tx, chainId, markOf(cursor));
    return nothing("behind");
  }
  if (head.number > cursor.blockNumber) {
    return indexRange(tx, chainId, cursor.blockNumber + 1n, head, cursor.blockHash);
  }
  // The block at which indexing had stopped is back.
  if (cursor.halted) await writeIndexCursor(tx, chainId, head);
  return nothing("current");
}

/** Returns whether the chain still contains the cursor's block. */
async function standingOf(cursor: CursorRow, chainId: ChainId, head: BlockMark): Promise<"kept" | "lost" | "unknown"> {
  if (cursor.ledger !== chainEnv(chainId).ledger.toLowerCase()) return "lost";
  const block = head.number === cursor.blockNumber ? head : await blockAt(chainId, cursor.blockNumber);
  // Another node than the one that reported the head may have responded.
  if (!block) return "unknown";
  return block.hash === cursor.blockHash ? "kept" : "lost";
}

async function indexRange(tx: Tx, chainId: ChainId, from: bigint, head: BlockMark, before: Hex | null): Promise<Step> {
  if (head.number - from > SHORT) await withoutTimeouts(tx);
  const now = new Date();
  const { end, events } =
    from > head.number ? { end: head, events: [] } : await readNextEvents(chainId, from, head, before);
  // Also without events: a payment may have been recorded after the policy version that voids it was indexed.
  const settle = () => applyEvents(tx, chainId, events, now);
  const hashes = [...new Set(events.map(({ transactionHash }) => transactionHash))].slice(0, TRACED_HASHES);
  const attributes = { "halcyon.chain_id": chainId, "halcyon.tx_hashes": hashes };
  const doubtful = events.length > 0 ? await inSpan("settle", attributes, settle) : await settle();
  await writeIndexCursor(tx, chainId, end);
  return { progress: end.number < head.number ? "behind" : "current", doubtful };
}

/**
 * Handles a lost final block. A local chain was reset, so it is indexed again. On other chains this must not happen:
 * stops indexing and raises an alarm.
 */
async function lostBlock(tx: Tx, chainId: ChainId, cursor: CursorRow, head: BlockMark): Promise<Step> {
  if (chainEnv(chainId).local) {
    await withoutTimeouts(tx);
    log().error({ chainId }, "the local chain lost indexed blocks: indexing it again");
    await rebuildIndex(tx, chainId, head);
    return nothing("current");
  }
  if (cursor.halted) return nothing("halted");
  const times = (lost.get(chainId) ?? 0) + 1;
  lost.set(chainId, times);
  if (times < LOST_IN_A_ROW) return nothing("busy");
  log().error({ chainId }, "a final block left the chain: indexing stops until `npm run reindex`");
  await tx.update(chainCursors).set({ halted: true }).where(eq(chainCursors.chainId, chainId));
  return nothing("halted");
}
