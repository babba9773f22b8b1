import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { chainCursors } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/base/network";
import { ChainContradiction } from "../chain-contradiction";
import { chainEnv, checkingClient, publicClient } from "../clients";

/** A block up to which something is indexed, or is to be. */
export interface BlockMark {
  number: bigint;
  hash: Hex;
  time: Date;
}

export type CursorRow = typeof chainCursors.$inferSelect;

/**
 * Returns the newest final block. If a second provider is configured, a block is final once both call it final: one
 * alone could name a block that may still leave the chain.
 */
export async function finalBlock(chainId: ChainId): Promise<BlockMark> {
  const blockTag = chainEnv(chainId).finality;
  const [first, second] = await Promise.all([
    publicClient(chainId).getBlock({ blockTag }),
    checkingClient(chainId)?.getBlock({ blockTag }),
  ]);
  if (!second || first.number <= second.number) return blockMark(first);
  const block = await blockAt(chainId, second.number);
  if (!block) throw new ChainContradiction("a block below the final one is missing");
  return block;
}

/** Returns a block by number; null if the chain does not have it. */
export async function blockAt(chainId: ChainId, number: bigint): Promise<BlockMark | null> {
  const block = await publicClient(chainId).request({
    method: "eth_getBlockByNumber",
    params: [`0x${number.toString(16)}`, false],
  });
  if (!block?.number || !block.hash) return null;
  return blockMark({ number: BigInt(block.number), hash: block.hash, timestamp: BigInt(block.timestamp) });
}

function blockMark(block: { number: bigint; hash: Hex; timestamp: bigint }): BlockMark {
  return { number: block.number, hash: block.hash, time: new Date(Number(block.timestamp) * 1000) };
}

/** Returns the block of a cursor. */
export function markOf({ blockNumber, blockHash, blockTime }: CursorRow): BlockMark {
  return { number: blockNumber, hash: blockHash, time: blockTime };
}

/** Marks the index as incomplete, so that it is rebuilt before indexing continues. */
export async function reindexSoon(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.update(chainCursors).set({ whole: false }).where(eq(chainCursors.chainId, chainId));
}

/** Returns how far the index reaches; undefined before its first batch. */
export async function readIndexCursor(tx: Tx, chainId: ChainId): Promise<CursorRow | undefined> {
  const [row] = await tx.select().from(chainCursors).where(eq(chainCursors.chainId, chainId));
  return row;
}

/**
 * Moves the cursor, in the transaction of what was indexed. The index counts as complete (`whole`) if it was built from
 * the ledger's first block: with the first cursor, and when everything was `rebuilt`.
 */
export async function writeIndexCursor(tx: Tx, chainId: ChainId, mark: BlockMark, rebuilt = false): Promise<void> {
  const ledger = chainEnv(chainId).ledger.toLowerCase() as Address;
  const row = { ledger, blockNumber: mark.number, blockHash: mark.hash, blockTime: mark.time, halted: false };
  await tx
    .insert(chainCursors)
    .values({ chainId, ...row, whole: true })
    .onConflictDoUpdate({ target: chainCursors.chainId, set: rebuilt ? { ...row, whole: true } : row });
}
