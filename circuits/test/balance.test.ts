import { describe, test } from "vitest";
import { guarantees } from "./guarantees.ts";
import { balanceInputs, MAX } from "./vectors.ts";

const full = Array.from({ length: 16 }, (_, i) => ({ amount: BigInt(i + 1), salt: BigInt(100 + i) }));
const one = (amount: bigint) => ({ amount, salt: 7n });

const { accepts, refuses } = guarantees({ name: "balance", constraints: 5539, honest: balanceInputs(full, 64n, 200n) });

describe("totals", () => {
  test.each([
    ["an empty account", [], 0n, 0n],
    ["one note", [one(5n)], 0n, 5n],
    ["the budget alone", [], 5n, 5n],
    ["the most", [one(MAX - 1n)], 1n, MAX],
    ["a note of nothing", [one(0n)], 5n, 5n],
  ])("%s is accepted", async (_, notes, limit, total) => {
    await accepts(balanceInputs(notes, limit, total));
  });

  test.each([
    ["2^64 in all", [one(MAX)], 1n, MAX + 1n],
    ["a note of 2^64", [one(MAX + 1n)], 0n, MAX + 1n],
    ["a negative note hiding money", [one(-5n)], 20n, 15n],
    ["a negative budget hiding money", [one(20n)], -5n, 15n],
    ["a negative total", [one(-5n)], 0n, -5n],
  ])("%s is refused", async (_, notes, limit, total) => {
    await refuses(balanceInputs(notes, limit, total), "Range64");
  });

  test.each([
    ["more than there is", [one(0n)], 20n, 21n],
    ["less than there is", [one(5n)], 20n, 24n],
  ])("%s is refused", async (_, notes, limit, total) => {
    await refuses(balanceInputs(notes, limit, total), "main");
  });
});
