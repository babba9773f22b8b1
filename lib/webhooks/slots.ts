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

  /** A place, first come first served, at once when there is one; given back by the function it answers, once. */
  take(): (() => void) | Promise<() => void> {
    if (this.active >= this.most) return new Promise((resolve) => this.waiting.push(() => resolve(this.taken())));
    this.active += 1;
    return this.taken();
  }

  private taken(): () => void {
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
