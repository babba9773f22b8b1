import { describe, test } from "vitest";
import { R } from "../witness/field.ts";
import { guarantees } from "./guarantees.ts";
import { otherCommitment } from "./mutants.ts";
import { available, MAX, releaseInputs } from "./vectors.ts";

const honest = releaseInputs(1000n, 250n);
const { accepts, refuses, everyStatementCounts } = guarantees({ name: "release", constraints: 709, honest });

describe("amounts", () => {
  test.each([
    ["the least", 1n, 1n],
    ["one of the most", MAX, 1n],
    ["the whole available balance", MAX, MAX],
  ])("%s is accepted", async (_, limit, amount) => {
    await accepts(releaseInputs(limit, amount));
  });

  test.each([
    ["nothing", 1000n, 0n],
    ["one more than the available balance", 1000n, 1001n],
    ["anything from an empty available balance", 0n, 1n],
    ["a negative amount", 1000n, -1n],
    ["a negative amount near the edge of the field", 0n, R - MAX],
    ["2^64", MAX, MAX + 1n],
    ["2^64 from an available balance of 2^64", MAX + 1n, MAX + 1n],
    ["1 from an available balance of 2^64", MAX + 1n, 1n],
    ["1 from a negative available balance", -5n, 1n],
  ])("%s is refused", async (_, limit, amount) => {
    await refuses(releaseInputs(limit, amount), "Range64");
  });
});

describe("invariant 7: an available balance with a window", () => {
  const counted = { spent: 40n, day: 20000n };

  test("does not open: neither by its limit nor by the whole packed number", async () => {
    const packed = 1000n + 2n ** 64n * counted.spent + 2n ** 128n * counted.day;
    await refuses({ ...honest, oldAvailable: available(1000n, 21n, counted) }, "AvailableOpening");
    await refuses(releaseInputs(packed, 250n), "Range64");
  });
});

everyStatementCounts({
  "Range64(limit)": { inputs: releaseInputs(MAX + 1n, 1n) },
  "Range64(amount - 1)": { inputs: releaseInputs(1000n, 0n) },
  "Range64(newLimit)": { inputs: releaseInputs(1000n, 1001n) },
  "equation(amount, limit, newLimit)": {
    inputs: { ...honest, newAvailable: available(1000n, 22n) },
    fixed: { newLimit: 1000n },
  },
  "AvailableOpening(oldAvailable)": otherCommitment(honest, "oldAvailable"),
  "AvailableOpening(newAvailable)": otherCommitment(honest, "newAvailable"),
});
