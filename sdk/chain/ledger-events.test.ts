import { expect, test } from "vitest";
import { readRanges } from "./ledger-events";

test("every block is read once and in order, whatever range the RPC refuses", async () => {
  for (const widest of [600n, 4_999n, 1_000_000n]) {
    const blocks = await readRanges(10n, 20_000n, async (from, to) => {
      if (to - from + 1n > widest) throw new Error("range too wide");
      return Array.from({ length: Number(to - from) + 1 }, (_, index) => from + BigInt(index));
    });
    expect(blocks).toEqual(Array.from({ length: 19_991 }, (_, index) => BigInt(index + 10)));
  }
});

test("an RPC that refuses every range is an error, not an empty history", async () => {
  const refused = readRanges(0n, 1_000_000n, async () => {
    throw new Error("no");
  });
  await expect(refused).rejects.toThrow("no");
});

test("a chain without blocks in range gives nothing", async () => {
  await expect(readRanges(5n, 4n, async () => [1])).resolves.toEqual([]);
});
