/**
 * Bytes that anyone may ask for, which cost more to make than to send: made once for all who ask at the same time, and
 * kept while others are asked for less. A slow reader shares them with all others.
 */
export class KeptBytes {
  /** What was asked for last is last. */
  private readonly kept = new Map<string, { made: Promise<Buffer | undefined>; length: number }>();
  private length = 0;

  /** @param most how many bytes to keep in all */
  constructor(private readonly most: number) {}

  /**
   * Returns the bytes with a name.
   *
   * @param make returns undefined if there are none; they are not kept then, nor if it throws
   */
  async get(name: string, make: () => Promise<Buffer | undefined>): Promise<Buffer | undefined> {
    const known = this.kept.get(name);
    if (known) {
      this.kept.delete(name);
      this.kept.set(name, known);
      return known.made;
    }
    const entry = { made: make(), length: 0 };
    this.kept.set(name, entry);
    try {
      entry.length = (await entry.made)?.length ?? 0;
    } catch (error) {
      this.kept.delete(name);
      throw error;
    }
    if (entry.length === 0 || entry.length > this.most) {
      this.kept.delete(name);
      return entry.made;
    }
    this.length += entry.length;
    for (const [oldest, { length }] of this.kept) {
      if (this.length <= this.most) break;
      // It is being made.
      if (length === 0) continue;
      this.kept.delete(oldest);
      this.length -= length;
    }
    return entry.made;
  }
}
