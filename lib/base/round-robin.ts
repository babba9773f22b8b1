/**
 * A queue that serves accounts round-robin. Items of one account keep their order, and an account that was served goes
 * to the end. So between two items of one account, every other account is served at most once.
 */
export class RoundRobin<T> {
  private readonly waiting = new Map<string, T[]>();
  private count = 0;

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
    for (const [account, list] of this.waiting) {
      if (!mayGo(account)) continue;
      const item = list.shift();
      this.waiting.delete(account);
      if (list.length > 0) this.waiting.set(account, list);
      if (item === undefined) continue;
      this.count -= 1;
      return { account, item };
    }
    return undefined;
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
