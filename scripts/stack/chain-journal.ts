import { closeSync, existsSync, fdatasyncSync, ftruncateSync, openSync, readFileSync, writeSync } from "node:fs";

/** One block of a local chain, enough to make it again: same parent, time and transactions give the same hash. */
export interface JournalBlock {
  number: number;
  /** Unix seconds. */
  timestamp: number;
  parentHash: string;
  /** Signed transactions as they were sent, in block order. */
  transactions: string[];
}

/**
 * The durable log of a local chain: one JSON line per block, flushed to disk before the block is mined. A later
 * line with the same number replaces the earlier one.
 */
export class ChainJournal {
  private readonly handle: number;
  private readonly blocks = new Map<number, JournalBlock>();
  private last = 0;

  constructor(file: string) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    // A crash while writing leaves a line without its end: that block was never mined.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const line of whole.split("\n")) if (line) this.remember(JSON.parse(line) as JournalBlock);
    this.handle = openSync(file, "a");
    ftruncateSync(this.handle, Buffer.byteLength(whole));
  }

  private remember(block: JournalBlock): void {
    this.blocks.set(block.number, block);
    this.last = block.number;
  }

  /** Number of the newest block; 0 when there is only the genesis. */
  get head(): number {
    return this.last;
  }

  block(number: number): JournalBlock | undefined {
    return this.blocks.get(number);
  }

  /** Lets go of blocks a snapshot holds (in memory; the file keeps all of them). */
  forgetUpTo(number: number): void {
    for (const known of this.blocks.keys()) if (known <= number) this.blocks.delete(known);
  }

  /** Appends a block; on return it is on disk. */
  append(block: JournalBlock): void {
    writeSync(this.handle, `${JSON.stringify(block)}\n`);
    fdatasyncSync(this.handle);
    this.remember(block);
  }

  close(): void {
    closeSync(this.handle);
  }
}
