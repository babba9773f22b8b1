import { eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import type { Tx } from "@/db/client";
import { chainCursors } from "@/db/schema/ledger";
import type { ChainId } from "@/lib/network";
import { chainEnv, publicClient } from "../clients";

/** A block the index reaches, or must reach. */
export interface BlockMark {
  number: bigint;
  hash: Hex;
  time: Date;
}

export type CursorRow = typeof chainCursors.$inferSelect;

/** The newest final block. */
export async function finalBlock(chainId: ChainId): Promise<BlockMark> {
  return blockMark(await publicClient(chainId).getBlock({ blockTag: chainEnv(chainId).finality }));
}

/** One block by number; null when the chain does not have it. */
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

/** The block a cursor stands at. */
export function markOf({ blockNumber, blockHash, blockTime }: CursorRow): BlockMark {
  return { number: blockNumber, hash: blockHash, time: blockTime };
}

/** Has the index rebuilt before it continues: something is missing in it. */
export async function reindexSoon(tx: Tx, chainId: ChainId): Promise<void> {
  await tx.update(chainCursors).set({ whole: false }).where(eq(chainCursors.chainId, chainId));
}

/** How far the index reaches; undefined before its first batch. */
export async function readCursor(tx: Tx, chainId: ChainId): Promise<CursorRow | undefined> {
  const [row] = await tx.select().from(chainCursors).where(eq(chainCursors.chainId, chainId));
  return row;
}

/**
 * Moves the cursor, in the transaction of what was indexed. The index is whole when that began with the ledger: at the
 * first cursor, and when everything was `rebuilt`.
 */
export async function writeCursor(tx: Tx, chainId: ChainId, mark: BlockMark, rebuilt = false): Promise<void> {
  const ledger = chainEnv(chainId).ledger.toLowerCase() as Address;
  const row = { ledger, blockNumber: mark.number, blockHash: mark.hash, blockTime: mark.time, halted: false };
  await tx
    .insert(chainCursors)
    .values({ chainId, ...row, whole: true })
    .onConflictDoUpdate({ target: chainCursors.chainId, set: rebuilt ? { ...row, whole: true } : row });
}
