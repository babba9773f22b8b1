/** Something that waits for a connection. */
interface Waiting {
  /** Null until a connection has it. */
  state: unknown;
  reject(error: unknown): void;
}

const LOOK_MS = 250;

/**
 * Fails queries that the driver has and no connection takes. While a database is away, the driver tries to connect for
 * one query after the other, with growing pauses, so the last of many would wait for minutes.
 */
export class Overdue {
  private readonly since = new Map<Waiting, number>();
  private timer: NodeJS.Timeout | undefined;

  /** @param error creates the error of a query that has waited for so many milliseconds */
  constructor(
    private readonly patienceMs: number,
    private readonly error: () => Error,
  ) {}

  add(query: Waiting): void {
    this.since.set(query, performance.now());
    this.timer ??= setInterval(() => this.look(), LOOK_MS).unref();
  }

  delete(query: Waiting): void {
    this.since.delete(query);
  }

  private look(): void {
    const late = performance.now() - this.patienceMs;
    for (const [query, since] of this.since) {
      if (since > late) break;
      this.since.delete(query);
      if (query.state === null) query.reject(this.error());
    }
    if (this.since.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
