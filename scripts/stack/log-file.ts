import { chmodSync, closeSync, openSync, renameSync, statSync, write } from "node:fs";
import { promisify } from "node:util";

const writeTo = promisify(write) as (handle: number, bytes: Buffer) => Promise<{ bytesWritten: number } | number>;
/** The most bytes that wait for a slow disk. More are dropped, because no one should have to wait for a log. */
const MOST_WAITING_BYTES = 1024 * 1024;

export interface LogFileOptions {
  /** Size at which the file is renamed to `….1`, and that one to `….2`, and a new file is started. */
  maxBytes: number;
  /** How many older files are kept. */
  kept: number;
  say: (line: string) => void;
}

/**
 * A log file that never blocks. Output that can't be written, because the disk is full or slow, is dropped and counted;
 * logging continues when writing works again. Only its owner may read it.
 */
export class LogFile {
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private writing?: Promise<void>;
  private lost = 0;
  private handle?: number;
  private size = 0;

  constructor(
    private readonly file: string,
    private readonly options: LogFileOptions,
  ) {}

  /** Writes output to the log. Returns immediately. */
  write(chunk: Buffer): void {
    if (this.waitingBytes + chunk.length > MOST_WAITING_BYTES) {
      this.lose(chunk.length, "the disk is too slow");
      return;
    }
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
    this.writing ??= this.writeAll();
  }

  /** Waits until all output is written or dropped, and closes the file. */
  async end(): Promise<void> {
    await this.writing;
    this.close();
  }

  private async writeAll(): Promise<void> {
    while (this.waitingBytes > 0) {
      const bytes = Buffer.concat(this.waiting);
      this.waiting = [];
      this.waitingBytes = 0;
      try {
        if (this.lost > 0) await this.put(Buffer.from(`… ${this.lost} bytes of this log could not be written …\n`));
        this.lost = 0;
        await this.put(bytes);
      } catch (error) {
        this.close();
        this.lose(bytes.length, (error as NodeJS.ErrnoException).code ?? "unknown error");
      }
    }
    this.writing = undefined;
  }

  private async put(bytes: Buffer): Promise<void> {
    this.handle ??= this.open();
    if (this.size + bytes.length > this.options.maxBytes && this.size > 0) this.handle = this.rotate();
    for (let at = 0; at < bytes.length; ) {
      const written = await writeTo(this.handle, bytes.subarray(at));
      const count = typeof written === "number" ? written : written.bytesWritten;
      at += count;
      this.size += count;
    }
  }

  private open(): number {
    const handle = openSync(this.file, "a", 0o600);
    chmodSync(this.file, 0o600);
    this.size = statSync(this.file).size;
    return handle;
  }

  private rotate(): number {
    this.close();
    for (let age = this.options.kept; age > 0; age--) {
      try {
        renameSync(age === 1 ? this.file : `${this.file}.${age - 1}`, `${this.file}.${age}`);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
    return this.open();
  }

  private close(): void {
    if (this.handle !== undefined) closeSync(this.handle);
    this.handle = undefined;
    this.size = 0;
  }

  private lose(bytes: number, why: string): void {
    if (this.lost === 0) this.options.say(`${this.file} cannot be written (${why}); everything else goes on`);
    this.lost += bytes;
  }
}
