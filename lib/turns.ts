/**
 * What waits, by account: each account's own in the order it came, the accounts one after the other. Anyone who was
 * served goes to the end of the turn, so that between two of one account at most one of every other is served.
 */
export class Turns<T> {
  private readonly waiting = new Map<string, T[]>();
  private count = 0;

  /** How many wait, of one account or of all. */
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
   * Takes the one whose turn it is.
   *
   * @param mayGo accounts it says no to keep their place in the turn
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

  /** Whether a waiting account satisfies this. */
  some(holds: (account: string) => boolean): boolean {
    for (const account of this.waiting.keys()) if (holds(account)) return true;
    return false;
  }

  /** Takes one out that does not wait any more. */
  remove(account: string, item: T): void {
    const list = this.waiting.get(account);
    const index = list?.indexOf(item) ?? -1;
    if (!list || index < 0) return;
    list.splice(index, 1);
    this.count -= 1;
    if (list.length === 0) this.waiting.delete(account);
  }

  /** Takes all of them out. */
  clear(): T[] {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    this.count = 0;
    return all;
  }
}
