import { setTimeout as sleep } from "node:timers/promises";
import type postgres from "postgres";

const PATIENCE_MS = 2_000;

/** Asks a pool, one time after the other, whether any of its connections still responds. */
export class Pulse {
  private asked?: Promise<void>;
  /** When the first of the queries without a response was sent. */
  private since?: number;

  /** @param sql not {@link gated}: callers that wait for their turn are no sign that connections don't respond */
  constructor(private readonly sql: postgres.Sql) {}

  /**
   * Asks, and returns for how many milliseconds there has been no response; 0 if there is one now. Returns within two
   * seconds.
   */
  async silentMs(): Promise<number> {
    this.since ??= performance.now();
    this.asked ??= this.ask();
    const ended = new AbortController();
    await Promise.race([this.asked, sleep(PATIENCE_MS, undefined, { signal: ended.signal }).catch(() => {})]);
    ended.abort();
    return this.since === undefined ? 0 : performance.now() - this.since;
  }

  private async ask(): Promise<void> {
    try {
      await this.sql`select 1`;
      this.since = undefined;
    } catch {
      // The next one may succeed.
    } finally {
      this.asked = undefined;
    }
  }
}
