/**
 * A queue that serves accounts round-robin. Items of one account keep their order, and an account that was served goes
 * to the end. So between two items of one account, every other account is served at most once. Where items differ in
 * cost, `charge` makes the shares equal in cost instead of number: the account that was charged least goes first, and
 * one that had nothing to do meanwhile has saved nothing up (start-time fair queueing, Goyal, Vin and Cheng 1996).
 */
export class RoundRobin<T> {
  private readonly waiting = new Map<string, T[]>();
  private count = 0;
  /** What accounts were charged, in the queue's time: of each one that is ahead of it. */
  private readonly charged = new Map<string, number>();
  /** The queue's time: what the account that was served last had been charged. */
  private time = 0;

  /** Returns how many items are waiting, for one account or for all. */
  size(account?: string): number {
    return account === undefined ? this.count : (this.waiting.get(account)?.length ?? 0);
  }

  push(account: string, item: T): void {
    const list = this.waiting.get(account);
    if (list) list.push(item);
    else this.waiting.set(account, [item]);
    this.count += 1;
  }

  /**
   * Removes and returns the item whose turn it is, or returns undefined if there is none.
   *
   * @param mayGo reports whether an account may be served now; skipped accounts keep their place
   */
  next(mayGo: (account: string) => boolean = () => true): { account: string; item: T } | undefined {
    let account: string | undefined;
    for (const each of this.waiting.keys()) {
      if (!mayGo(each)) continue;
      if (account === undefined || this.chargedTo(each) < this.chargedTo(account)) account = each;
    }
    const list = account === undefined ? undefined : this.waiting.get(account);
    const item = list?.shift();
    if (account === undefined || !list || item === undefined) return undefined;
    this.waiting.delete(account);
    if (list.length > 0) this.waiting.set(account, list);
    this.count -= 1;
    this.time = this.chargedTo(account);
    for (const [each, at] of this.charged) if (at <= this.time) this.charged.delete(each);
    return { account, item };
  }

  private chargedTo(account: string): number {
    return Math.max(this.charged.get(account) ?? 0, this.time);
  }

  /** Charges an account for an item that it was served. */
  charge(account: string, cost: number): void {
    this.charged.set(account, this.chargedTo(account) + cost);
  }

  /** Reports whether any waiting account satisfies `holds`. */
  some(holds: (account: string) => boolean): boolean {
    for (const account of this.waiting.keys()) if (holds(account)) return true;
    return false;
  }

  /** Removes an item that no longer waits. */
  remove(account: string, item: T): void {
    const list = this.waiting.get(account);
    const index = list?.indexOf(item) ?? -1;
    if (!list || index < 0) return;
    list.splice(index, 1);
    this.count -= 1;
    if (list.length === 0) this.waiting.delete(account);
  }

  /** Removes and returns all items. */
  clear(): T[] {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.count = 0;
    return all;
  }
}
