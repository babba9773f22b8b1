import { describe, test } from "vitest";
import { R } from "./field.ts";
import { guarantees } from "./guarantees.ts";
import { MAX, transferInputs } from "./vectors.ts";

const { accepts, refuses } = guarantees({ name: "transfer", constraints: 967, honest: transferInputs(1000n, 250n) });

describe("amounts", () => {
  test.each([
    ["the least", 1n, 1n],
    ["one of the most", MAX, 1n],
    ["the whole budget", MAX, MAX],
  ])("%s is accepted", async (_, limit, amount) => {
    await accepts(transferInputs(limit, amount));
  });

  test.each([
    ["nothing", 1000n, 0n],
    ["one more than the budget", 1000n, 1001n],
    ["anything from an empty budget", 0n, 1n],
    ["a negative amount", 1000n, -1n],
    ["a negative amount near the edge of the field", 0n, R - MAX],
    ["2^64", MAX, MAX + 1n],
    ["2^64 from a budget of 2^64", MAX + 1n, MAX + 1n],
    ["1 from a budget of 2^64", MAX + 1n, 1n],
    ["1 from a negative budget", -5n, 1n],
  ])("%s is refused", async (_, limit, amount) => {
    await refuses(transferInputs(limit, amount), "Range64");
  });
});
