const EVERY_MS = 15_000;

/** Returns a time in words: `40 s`, `6 min`. */
const inWords = (ms: number) => (ms < 90_000 ? `${Math.ceil(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`);

/**
 * Says how far a part of the tests is: each failure when it happens, and now and then a line with counts and the time
 * left, as if the rest took as long as what has ended.
 */
export class Progress {
  private passed = 0;
  private failed = 0;
  private done = 0;
  private readonly startedAt: number;
  private saidAt: number;

  /**
   * @param part the part's name
   * @param total how many tests or files it has
   */
  constructor(
    private readonly part: string,
    private readonly total: number,
    private readonly say: (line: string) => void = console.log,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.startedAt = now();
    this.saidAt = this.startedAt;
  }

  /** A test passed. */
  pass(): void {
    this.passed += 1;
  }

  /** A test failed, with its name and the first line of its error. */
  fail(failure: string): void {
    this.failed += 1;
    this.say(`${this.part}: failed: ${failure}`);
  }

  /** One more of `total` has ended. */
  ended(): void {
    this.done += 1;
    const now = this.now();
    if (now - this.saidAt < EVERY_MS || this.done >= this.total) return;
    this.saidAt = now;
    const left = ((now - this.startedAt) / this.done) * (this.total - this.done);
    this.say(`${this.part}: ${this.passed} passed, ${this.failed} failed, about ${inWords(left)} left`);
  }
}
