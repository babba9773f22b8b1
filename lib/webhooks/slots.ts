/**
 * How many attempts a process has under way. One that is not answered within a second costs next to nothing but its
 * connection, so it makes room for others: receivers that hang do not hold up those that answer.
 */
export class Slots {
  private active = 0;
  private slow = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly most = 256,
    private readonly mostSlow = 4_000,
    private readonly slowAfterMs = 1_000,
  ) {}

  /** Waits for a place, first come first served; the caller gives it back by the function it gets, once. */
  async take(): Promise<() => void> {
    if (this.active < this.most) this.active += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    let demoted = false;
    const timer = setTimeout(() => {
      if (this.slow >= this.mostSlow) return;
      demoted = true;
      this.slow += 1;
      this.pass();
    }, this.slowAfterMs);
    timer.unref();
    return () => {
      clearTimeout(timer);
      if (demoted) this.slow -= 1;
      else this.pass();
    };
  }

  private pass(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.active -= 1;
  }
}
