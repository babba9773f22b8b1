import { Turns } from "./turns";

/** Thrown to a caller that waited in a {@link FairQueue} for as long as it was ready to. */
export class TurnNotReached extends Error {
  override readonly name = "TurnNotReached";
}

interface FairQueueOptions {
  /** How many jobs run at once. */
  slots: number;
  /** How many of them one account's jobs may have; all of them when left out. */
  share?: number;
}

interface Waiter {
  start(): void;
}

/**
 * Slots that accounts take in turn (see {@link Turns}), none ever more than its share. What belongs to no account ("")
 * is one more account in the turn, without a cap.
 */
export class FairQueue {
  /** How many jobs run at once. */
  readonly most: number;
  private readonly share: number;
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  private readonly waiting = new Turns<Waiter>();

  constructor({ slots, share = slots }: FairQueueOptions) {
    this.most = slots;
    this.share = share;
  }

  /** How many jobs run and wait, of one account or of all. */
  load(account?: string): { running: number; waiting: number } {
    const running = account === undefined ? this.running : (this.runningOf.get(account) ?? 0);
    return { running, waiting: this.waiting.size(account) };
  }

  /** A slot if one is free for the account now; given back by the function it returns, once. */
  tryTake(account: string): (() => void) | null {
    if (!this.isFreeFor(account)) return null;
    this.count(account, 1);
    return this.slot(account);
  }

  /**
   * A slot, in turn; given back by the function it returns, once.
   *
   * @param patienceMs how long to wait for it; for ever when left out
   * @throws TurnNotReached
   */
  take(account: string, patienceMs?: number): Promise<() => void> {
    const free = this.tryTake(account);
    if (free) return Promise.resolve(free);
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const waiter: Waiter = {
        start: () => {
          clearTimeout(timer);
          resolve(this.slot(account));
        },
      };
      this.waiting.push(account, waiter);
      if (patienceMs === undefined) return;
      timer = setTimeout(() => {
        this.waiting.remove(account, waiter);
        reject(new TurnNotReached("Nothing became free in time."));
      }, patienceMs);
    });
  }

  /** Runs `work` in a slot, in turn. */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const release = await this.take(account);
    try {
      return await work();
    } finally {
      release();
    }
  }

  private isFreeFor(account: string): boolean {
    const isCapped = account !== "" && (this.runningOf.get(account) ?? 0) >= this.share;
    return this.running < this.most && !isCapped;
  }

  private slot(account: string): () => void {
    let given = false;
    return () => {
      if (given) return;
      given = true;
      this.count(account, -1);
      this.pass();
    };
  }

  private count(account: string, by: 1 | -1): void {
    this.running += by;
    const now = (this.runningOf.get(account) ?? 0) + by;
    if (now === 0) this.runningOf.delete(account);
    else this.runningOf.set(account, now);
  }

  /** Gives free slots to those whose turn it is. */
  private pass(): void {
    while (this.running < this.most) {
      const next = this.waiting.next((account) => this.isFreeFor(account));
      if (!next) return;
      this.count(next.account, 1);
      next.item.start();
    }
  }
}
