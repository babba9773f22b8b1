import { describe, test } from "vitest";
import { guarantees } from "./guarantees.ts";
import { otherCommitment } from "./mutants.ts";
import { OPENING, SECOND_SPLITS } from "./splits.ts";
import { available, fundInputs, MAX, NO_WINDOW } from "./vectors.ts";

const { limit, ...counted } = OPENING;
const other = { spent: 7n, day: 19999n };
const honest = fundInputs(limit, 70n, 250n, counted, other);
const { accepts, refuses, everyStatementCounts } = guarantees({ name: "fund", constraints: 1545, honest });

describe("amounts", () => {
  test.each([
    ["the least", 1n, 0n, 1n],
    ["the whole available balance", MAX, 0n, MAX],
    ["up to the most an available balance holds", 5n, MAX - 5n, 5n],
  ])("%s is accepted", async (_, from, to, amount) => {
    await accepts(fundInputs(from, to, amount));
  });

  test.each([
    ["nothing", 1000n, 70n, 0n],
    ["one more than the available balance", 1000n, 70n, 1001n],
    ["a negative amount, which would flow backwards", 1000n, 70n, -50n],
    ["2^64", MAX, 0n, MAX + 1n],
    ["2^64 from an available balance of 2^64", MAX + 1n, 0n, MAX + 1n],
    ["what lifts the other available balance to 2^64", 5n, MAX - 4n, 5n],
    ["an available balance of 2^64 paying", MAX + 1n, 0n, 1n],
    ["a negative available balance receiving", 1000n, -1n, 1n],
  ])("%s is refused", async (_, from, to, amount) => {
    await refuses(fundInputs(from, to, amount), "Range64");
  });
});

describe("windows", () => {
  test.each([
    ["nothing counted on either side", NO_WINDOW, NO_WINDOW],
    ["something counted on one side", NO_WINDOW, counted],
    ["the most that a window holds", { spent: MAX, day: 2n ** 32n - 1n }, counted],
  ])("%s is carried on", async (_, from, to) => {
    await accepts(fundInputs(1000n, 70n, 250n, from, to));
  });

  test.each([
    ["less spent", { ...counted, spent: 0n }],
    ["an earlier day", { ...counted, day: 0n }],
    ["the other side's window", other],
  ])("%s in the new available balance of the paying side is refused", async (_, window) => {
    await refuses({ ...honest, fromNew: available(750n, 32n, window) }, "WindowedAvailableOpening");
  });

  test("less spent in the new available balance of the receiving side is refused", async () => {
    await refuses({ ...honest, toNew: available(320n, 34n, { ...other, spent: 0n }) }, "WindowedAvailableOpening");
  });
});

describe("invariant 1: a second split of a packed commitment", () => {
  test.each(SECOND_SPLITS)("%s is refused on either side", async (_, split, template) => {
    await refuses({ ...fundInputs(split.limit, 70n, 250n, split, other), fromOld: honest.fromOld as bigint }, template);
    const toOld = available(OPENING.limit, 33n, OPENING);
    await refuses({ ...fundInputs(900n, split.limit, 250n, other, split), toOld }, template);
  });
});

everyStatementCounts({
  "Range64(fromLimit)": { inputs: fundInputs(MAX + 1n, 0n, 1n) },
  "Range64(fromSpent)": { inputs: fundInputs(9n, 0n, 1n, { spent: MAX + 1n, day: 0n }, NO_WINDOW) },
  "Range32(fromDay)": { inputs: fundInputs(9n, 0n, 1n, { spent: 0n, day: 2n ** 32n }, NO_WINDOW) },
  "Range64(toLimit)": { inputs: fundInputs(1000n, -1n, 1n) },
  "Range64(toSpent)": { inputs: fundInputs(9n, 0n, 1n, NO_WINDOW, { spent: MAX + 1n, day: 0n }) },
  "Range32(toDay)": { inputs: fundInputs(9n, 0n, 1n, NO_WINDOW, { spent: 0n, day: 2n ** 32n }) },
  "Range64(amount - 1)": { inputs: fundInputs(1000n, 70n, 0n) },
  "Range64(fromNewLimit)": { inputs: fundInputs(1000n, 70n, 1001n) },
  "Range64(toNewLimit)": { inputs: fundInputs(5n, MAX - 4n, 5n) },
  "equation(amount, fromLimit, fromNewLimit)": {
    inputs: { ...honest, fromNew: available(1000n, 32n, counted) },
    fixed: { fromNewLimit: 1000n },
  },
  "equation(amount, toLimit, toNewLimit)": {
    inputs: { ...honest, toNew: available(5000n, 34n, other) },
    fixed: { toNewLimit: 5000n },
  },
  "WindowedAvailableOpening(fromOld)": otherCommitment(honest, "fromOld"),
  "WindowedAvailableOpening(fromNew)": otherCommitment(honest, "fromNew"),
  "WindowedAvailableOpening(toOld)": otherCommitment(honest, "toOld"),
  "WindowedAvailableOpening(toNew)": otherCommitment(honest, "toNew"),
});
