import type { Chain } from "../chain/chain";

const AT_ONCE = 20;

/** Reads the times of blocks, in Unix seconds. Each block is read only once. */
export class BlockTimes {
  private readonly known = new Map<bigint, number>();
  private readonly blocks: bigint[];

  /** @param blocks the blocks that may be looked up, in any order, duplicates allowed */
  constructor(
    private readonly chain: Chain,
    blocks: readonly bigint[],
  ) {
    this.blocks = [...new Set(blocks)].sort((a, b) => (a < b ? -1 : 1));
  }

  /** Returns the first of the blocks that is not older than `at`. If all are older, returns a later block number. */
  async firstNotBefore(at: Date): Promise<bigint> {
    let [low, high] = [0, this.blocks.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const time = await this.timeOf(this.blocks[middle] ?? 0n);
      if (time * 1000 >= at.getTime()) high = middle;
      else low = middle + 1;
    }
    return this.blocks[low] ?? (this.blocks.at(-1) ?? 0n) + 1n;
  }

  async of(blocks: readonly bigint[]): Promise<ReadonlyMap<bigint, number>> {
    const missing = [...new Set(blocks)].filter((block) => !this.known.has(block));
    for (let at = 0; at < missing.length; at += AT_ONCE) {
      await Promise.all(missing.slice(at, at + AT_ONCE).map((block) => this.timeOf(block)));
    }
    return this.known;
  }

  private async timeOf(block: bigint): Promise<number> {
    const known = this.known.get(block);
    if (known !== undefined) return known;
    const { timestamp } = await this.chain.client.getBlock({ blockNumber: block });
    this.known.set(block, Number(timestamp));
    return Number(timestamp);
  }
}
