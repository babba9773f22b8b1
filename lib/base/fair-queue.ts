import { waitUnlessClientLeft } from "@/lib/base/client-left";
import { RoundRobin } from "./round-robin";

/** Thrown to a caller of {@link FairQueue.take} that got no slot within its `patienceMs`. */
export class TurnNotReached extends Error {
  override readonly name = "TurnNotReached";
}

interface FairQueueOptions {
  /** How many jobs run at once. */
  slots: number;
  /** How many slots the jobs of one account may hold at once; all of them by default. */
  share?: number;
}

interface Waiter {
  start(): void;
}

/**
 * A pool of slots that accounts take in turn (see {@link Turns}). No account holds more than its share. Work that
 * belongs to no account ("") takes its turn like an account, but has no cap.
 */
export class FairQueue {
  /** How many jobs run at once. */
  readonly most: number;
  private readonly share: number;
  private running = 0;
  private readonly runningOf = new Map<string, number>();
  private readonly waiting = new RoundRobin<Waiter>();

  constructor({ slots, share = slots }: FairQueueOptions) {
    this.most = slots;
    this.share = share;
  }

  /** Returns how many jobs are running and waiting, for one account or for all. */
  load(account?: string): { running: number; waiting: number } {
    const running = account === undefined ? this.running : (this.runningOf.get(account) ?? 0);
    return { running, waiting: this.waiting.size(account) };
  }

  /**
   * Takes a slot if one is free for the account now, otherwise returns null. Call the returned function to release the
   * slot; calling it again does nothing.
   */
  tryTake(account: string): (() => void) | null {
    if (!this.isFreeFor(account)) return null;
    this.count(account, 1);
    return this.slot(account);
  }

  /**
   * Waits for a slot, in turn. Call the returned function to release the slot; calling it again does nothing.
   *
   * @param patienceMs how long to wait, in milliseconds; without limit by default
   * @throws TurnNotReached if no slot became free in time
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

  /**
   * Waits for a slot, runs `work` in it, and releases the slot.
   *
   * @throws ApiError `unavailable` if the request's client leaves before that
   */
  async run<T>(account: string, work: () => Promise<T>): Promise<T> {
    const taking = this.take(account);
    const release = await waitUnlessClientLeft(taking).catch((error: unknown) => {
      void taking.then((free) => free());
      throw error;
    });
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

  /** Hands free slots to the waiters whose turn it is. */
  private pass(): void {
    while (this.running < this.most) {
      const next = this.waiting.next((account) => this.isFreeFor(account));
      if (!next) return;
      this.count(next.account, 1);
      next.item.start();
    }
  }
}
