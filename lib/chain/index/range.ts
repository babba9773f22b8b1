import { BlockRange } from "@/lib/base/block-ranges";
import type { ChainId } from "@/lib/base/network";

/** The most blocks per step, so that a transaction of the index stays short. */
export const MOST_BLOCKS = 5_000n;

const ranges = new Map<ChainId, BlockRange>();

/** Returns how many blocks this process requests at once from the nodes of a chain. */
export function rangeOf(chainId: ChainId): BlockRange {
  const known = ranges.get(chainId) ?? new BlockRange(MOST_BLOCKS);
  ranges.set(chainId, known);
  return known;
}
