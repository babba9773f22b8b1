import {
  chmodSync,
  closeSync,
  existsSync,
  fdatasyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";

/**
 * One block of a local chain, with what it takes to make it again: the same parent, time, fee and transactions give the
 * same hash.
 */
export interface JournalBlock {
  number: number;
  /** Unix seconds. */
  timestamp: number;
  parentHash: string;
  /** Signed transactions as they were sent, in block order. */
  transactions: string[];
  /** The base fee, if someone else mined the block. Otherwise it follows from the parent. */
  baseFee?: string;
}

/** The journal could not be written and is unchanged. The next attempt starts where the last success ended. */
export class JournalUnwritable extends Error {
  override readonly name = "JournalUnwritable";
}

/**
 * The durable log of a local chain: one JSON line per block, flushed to disk before the block is mined. A later line
 * with the same number replaces the earlier one.
 */
export class ChainJournal {
  private readonly handle: number;
  private readonly blocks = new Map<number, JournalBlock>();
  private last = 0;
  /** Length of the file up to the end of its last complete line. */
  private good: number;

  constructor(private readonly file: string) {
    this.good = this.recall();
    this.handle = openSync(file, "a", 0o600);
    chmodSync(file, 0o600);
    ftruncateSync(this.handle, this.good);
  }

  /** Reads all blocks, also those that were dropped from memory. Returns the length of the complete lines. */
  recall(): number {
    const text = existsSync(this.file) ? readFileSync(this.file, "utf8") : "";
    // A crash while writing leaves an incomplete line, whose block was never mined.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const line of whole.split("\n")) {
      const block = line ? readLine(line) : undefined;
      if (block) this.remember(block);
    }
    return Buffer.byteLength(whole);
  }

  private remember(block: JournalBlock): void {
    this.blocks.set(block.number, block);
    this.last = block.number;
  }

  /** The number of the newest block; 0 if there is only the genesis. */
  get head(): number {
    return this.last;
  }

  block(number: number): JournalBlock | undefined {
    return this.blocks.get(number);
  }

  /** Drops blocks that a snapshot contains from memory; the file keeps all of them. */
  forgetUpTo(number: number): void {
    for (const known of this.blocks.keys()) if (known <= number) this.blocks.delete(known);
  }

  /**
   * Appends blocks in one write. On return they are on disk.
   *
   * @throws JournalUnwritable if they could not be written (a full disk); a block must then not be mined
   */
  append(...blocks: JournalBlock[]): void {
    const line = Buffer.from(blocks.map((block) => `${JSON.stringify(block)}\n`).join(""));
    try {
      // Remove what an earlier failure left and could not remove.
      ftruncateSync(this.handle, this.good);
      // When a disk fills up, a write may be partial.
      for (let at = 0; at < line.length; ) at += writeSync(this.handle, line, at);
      fdatasyncSync(this.handle);
    } catch (error) {
      this.takeBack();
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      throw new JournalUnwritable(`${this.file} cannot be written (${code})`, { cause: error });
    }
    this.good += line.length;
    for (const block of blocks) this.remember(block);
  }

  /** Removes a line that was not completely written or not flushed, so that the next start does not find it. */
  private takeBack(): void {
    try {
      ftruncateSync(this.handle, this.good);
    } catch {
      // Retried before the next line.
    }
  }

  close(): void {
    closeSync(this.handle);
  }
}

/**
 * Parses a line's block. Older journals may contain an incomplete line, from a full disk, directly followed by a
 * complete one. Returns undefined if there is no readable block; a reader that needs it will notice.
 */
function readLine(line: string): JournalBlock | undefined {
  for (const text of [line, line.slice(Math.max(0, line.lastIndexOf('{"number":')))]) {
    try {
      const block = JSON.parse(text) as JournalBlock;
      if (Number.isSafeInteger(block.number) && Array.isArray(block.transactions)) return block;
    } catch {
      // Incomplete line.
    }
  }
  return undefined;
}
