import { describe, test } from "vitest";
import { guarantees } from "./guarantees.ts";
import { fundInputs, MAX } from "./vectors.ts";

const { accepts, refuses } = guarantees({ name: "fund", constraints: 1353, honest: fundInputs(1000n, 70n, 250n) });

describe("amounts", () => {
  test.each([
    ["the least", 1n, 0n, 1n],
    ["the whole budget", MAX, 0n, MAX],
    ["up to the most a budget holds", 5n, MAX - 5n, 5n],
  ])("%s is accepted", async (_, from, to, amount) => {
    await accepts(fundInputs(from, to, amount));
  });

  test.each([
    ["nothing", 1000n, 70n, 0n],
    ["one more than the budget", 1000n, 70n, 1001n],
    ["a negative amount, which would flow backwards", 1000n, 70n, -50n],
    ["2^64", MAX, 0n, MAX + 1n],
    ["2^64 from a budget of 2^64", MAX + 1n, 0n, MAX + 1n],
    ["what lifts the other budget to 2^64", 5n, MAX - 4n, 5n],
    ["a budget of 2^64 paying", MAX + 1n, 0n, 1n],
    ["a negative budget receiving", 1000n, -1n, 1n],
  ])("%s is refused", async (_, from, to, amount) => {
    await refuses(fundInputs(from, to, amount), "Range64");
  });
});
