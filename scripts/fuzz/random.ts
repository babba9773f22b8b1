/** Random numbers that depend only on a seed, so that a request can be repeated (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }

  below(bound: number): number {
    return Math.floor(this.next() * bound);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)];
    if (found === undefined) throw new Error("nothing to pick from");
    return found;
  }

  text(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.below(alphabet.length)]).join("");
  }
}

/** Returns the generator for one request. Generators of consecutive requests are unrelated. */
export function randomOf(seed: number, index: number): Random {
  const mixer = new Random(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index, 0x85ebca6b));
  return new Random(Math.floor(mixer.next() * 0x1_0000_0000));
}
