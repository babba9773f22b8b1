import { expect, test } from "vitest";
import { BlockRange, newestFirst, oldestFirst } from "./block-ranges";

const refusal = () => Object.assign(new Error("the range is too wide"), { code: -32600 });
const silence = () => Object.assign(new Error("no response"), { name: "TimeoutError" });

/** Returns a node that returns at most `widest` blocks at once and otherwise fails so, and the ranges it was asked for. */
function nodeOf(widest: (from: bigint) => bigint, error: () => Error = refusal) {
  const asked: bigint[] = [];
  return {
    asked,
    read: async (from: bigint, to: bigint) => {
      asked.push(to - from + 1n);
      if (to - from + 1n > widest(from)) throw error();
      return Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));
    },
  };
}

async function all<T>(ranges: AsyncGenerator<T[]>): Promise<T[]> {
  const found: T[] = [];
  for await (const part of ranges) found.push(...part);
  return found;
}

test("every block is read once and in order, whatever range the node refuses, down to one block", async () => {
  const blocks = Array.from({ length: 1_991 }, (_, index) => BigInt(index + 10));
  for (const widest of [1n, 5n, 10n, 600n, 1_999n, 1_000_000n]) {
    const { read } = nodeOf(() => widest);
    await expect(all(oldestFirst(new BlockRange(5_000n), 10n, 2_000n, read))).resolves.toEqual(blocks);
    const backwards = nodeOf(() => widest);
    const newest = await all(newestFirst(new BlockRange(5_000n), 10n, 2_000n, backwards.read));
    expect(newest.toSorted((a, b) => Number(a - b))).toEqual(blocks);
    expect(newest.includes(2_000n) && newest.indexOf(2_000n) < 5_000).toBe(true);
  }
});

test("what a node allows is remembered between reads, and tried again after some", async () => {
  const range = new BlockRange(5_000n);
  const narrow = nodeOf(() => 10n);
  await all(oldestFirst(range, 0n, 4_999n, narrow.read));
  // Not one refusal for each range.
  const refused = narrow.asked.filter((blocks) => blocks > 10n).length;
  expect(refused).toBeLessThan(narrow.asked.length / 6);
  const wide = nodeOf(() => 1_000_000n);
  await all(oldestFirst(range, 0n, 99_999n, wide.read));
  expect(wide.asked[0]).toBeLessThanOrEqual(10n);
  expect(wide.asked.slice(0, -1).at(-1)).toBe(5_000n);
});

test("dense blocks are read in small ranges, and the sparse ones behind them in large ones", async () => {
  const { read, asked } = nodeOf((from) => (from < 1_000n ? 3n : 100_000n));
  await all(oldestFirst(new BlockRange(5_000n), 0n, 99_999n, read));
  expect(asked.length).toBeLessThan(700);
});

test("a node that refuses one block ends the reading with the node's own error", async () => {
  const { read, asked } = nodeOf(() => 0n);
  await expect(all(oldestFirst(new BlockRange(5_000n), 0n, 1_000_000n, read))).rejects.toThrow("too wide");
  expect(asked.at(-1)).toBe(1n);
  expect(asked.length).toBeLessThan(20);
});

test("a node that does not respond is asked for less as often as said, and not forever", async () => {
  for (const [patience, tries] of [
    [0, 1],
    [2, 3],
  ] as const) {
    const { read, asked } = nodeOf(() => 0n, silence);
    await expect(all(oldestFirst(new BlockRange(5_000n, patience), 0n, 4_999n, read))).rejects.toThrow("no response");
    expect(asked).toHaveLength(tries);
  }
  // One that is slow with large ranges is read to the end, by a caller that asks again.
  const range = new BlockRange(5_000n);
  const slow = nodeOf(() => 100n, silence);
  const once = () => all(oldestFirst(range, 0n, 499n, slow.read));
  await expect(once()).rejects.toThrow();
  await expect(once()).resolves.toHaveLength(500);
});

test("an error that says nothing about the range is thrown at once", async () => {
  for (const error of [
    new Error("the node's responses contradict each other"),
    Object.assign(new Error("no method"), { code: -32601 }),
    Object.assign(new Error("in a failed transaction"), { code: "25P02" }),
  ]) {
    const { read, asked } = nodeOf(
      () => 0n,
      () => error,
    );
    await expect(all(oldestFirst(new BlockRange(5_000n, 2), 0n, 4_999n, read))).rejects.toBe(error);
    expect(asked).toEqual([5_000n]);
  }
});

test("a range without blocks asks nothing", async () => {
  const { read, asked } = nodeOf(() => 1n);
  await expect(all(oldestFirst(new BlockRange(5_000n), 5n, 4n, read))).resolves.toEqual([]);
  expect(asked).toEqual([]);
});
