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

/** One block of a local chain, enough to make it again: same parent, time and transactions give the same hash. */
export interface JournalBlock {
  number: number;
  /** Unix seconds. */
  timestamp: number;
  parentHash: string;
  /** Signed transactions as they were sent, in block order. */
  transactions: string[];
}

/** The journal could not be written. Nothing was: the next attempt begins where the last success ended. */
export class JournalUnwritable extends Error {
  override readonly name = "JournalUnwritable";
}

/**
 * The durable log of a local chain: one JSON line per block, flushed to disk before the block is mined. A later
 * line with the same number replaces the earlier one.
 */
export class ChainJournal {
  private readonly handle: number;
  private readonly blocks = new Map<number, JournalBlock>();
  private last = 0;
  /** Length of the file up to the end of its last whole line. */
  private good: number;

  constructor(private readonly file: string) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    // A crash while writing leaves a line without its end: that block was never mined.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    for (const line of whole.split("\n")) {
      const block = line ? readLine(line) : undefined;
      if (block) this.remember(block);
    }
    this.good = Buffer.byteLength(whole);
    this.handle = openSync(file, "a", 0o600);
    chmodSync(file, 0o600);
    ftruncateSync(this.handle, this.good);
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

  /**
   * Appends a block; on return it is on disk.
   *
   * @throws JournalUnwritable when it is not (a full disk); the block then must not be mined
   */
  append(block: JournalBlock): void {
    const line = Buffer.from(`${JSON.stringify(block)}\n`);
    try {
      // What an earlier failure left and could not take away.
      ftruncateSync(this.handle, this.good);
      // A disk that fills up takes a part of the line first.
      for (let at = 0; at < line.length; ) at += writeSync(this.handle, line, at);
      fdatasyncSync(this.handle);
    } catch (error) {
      this.takeBack();
      const { code = "unknown error" } = error as NodeJS.ErrnoException;
      throw new JournalUnwritable(`${this.file} cannot be written (${code})`, { cause: error });
    }
    this.good += line.length;
    this.remember(block);
  }

  /** A line that was not written to its end, or not flushed, is gone at once: the next start must not find it. */
  private takeBack(): void {
    try {
      ftruncateSync(this.handle, this.good);
    } catch {
      // Tried again before the next line.
    }
  }

  close(): void {
    closeSync(this.handle);
  }
}

/**
 * A line's block. Journals written before lines were taken back may hold the beginning of one, from a full disk, with a
 * whole one behind it. Undefined when there is no block to be read: a reader that needs it will miss it.
 */
function readLine(line: string): JournalBlock | undefined {
  for (const text of [line, line.slice(Math.max(0, line.lastIndexOf('{"number":')))]) {
    try {
      const block = JSON.parse(text) as JournalBlock;
      if (Number.isSafeInteger(block.number) && Array.isArray(block.transactions)) return block;
    } catch {
      // Torn.
    }
  }
  return undefined;
}
