import { describe, expect, test } from "vitest";
import { mod } from "../witness/field.ts";
import type { Inputs } from "./forge.ts";
import { guarantees } from "./guarantees.ts";
import { otherCommitment, perSlot } from "./mutants.ts";
import { OPENING, SECOND_SPLITS } from "./splits.ts";
import { available, CTX, EMPTY_NOTE, MAX, NO_WINDOW, type Note, slots, type Window } from "./vectors.ts";

const COUNT = 16;
const one = (amount: bigint, salt = 7n) => ({ amount, salt });
const nothing = (count: number) => Array<Note>(count).fill(one(0n, 0n));

function payManyInputs(paid: Note[], limit: bigint, window: Window = NO_WINDOW, newWindow = window): Inputs {
  const [oldSalt, newSalt] = [81n, 82n];
  const sum = paid.reduce((total, { amount }) => total + amount, 0n);
  return {
    oldAvailable: available(limit, oldSalt, window),
    newAvailable: available(limit - sum, newSalt, newWindow),
    ...slots(paid, COUNT),
    ctx: CTX,
    ...{ limit: mod(limit), spent: mod(window.spent), day: mod(window.day), oldSalt, newSalt },
  };
}

const { limit, ...counted } = OPENING;
const full = Array.from({ length: COUNT }, (_, i) => one(BigInt(i + 1), BigInt(300 + i)));
const honest = payManyInputs(full, limit, counted);
const { accepts, refuses, refusesForged, everyStatementCounts } = guarantees({
  name: "pay-many",
  constraints: 5941,
  honest,
});

describe("invariant 8: sums", () => {
  test.each([
    ["two payments", [one(1n), one(2n, 8n)], 1000n],
    ["the whole available balance", [one(999n), one(1n, 8n)], 1000n],
    ["the most, in the last slot", [...nothing(15), one(MAX)], MAX],
  ])("%s is accepted", async (_, paid, from) => {
    await accepts(payManyInputs(paid, from));
  });

  test.each([
    ["one more than the available balance in all", [one(999n), one(2n, 8n)], 1000n],
    ["a negative payment paid for by another", [one(-10n), one(19n, 8n)], 1000n],
    ["a payment of 2^64", [one(MAX + 1n)], MAX],
    ["an available balance of 2^64", [one(1n)], MAX + 1n],
    ["sixteen payments whose sum is beyond 2^67", Array<Note>(COUNT).fill(one(MAX)), MAX],
  ])("%s is refused", async (_, paid, from) => {
    await refuses(payManyInputs(paid, from), "Range64");
  });

  test.each([
    ["one less than the rest, money that vanishes", 863n],
    ["one more than the rest, money from nothing", 865n],
  ])("%s is refused", async (_, rest) => {
    await refuses({ ...honest, newAvailable: available(rest, 82n, counted) }, "WindowedAvailableOpening");
  });
});

describe("invariant 8: unused slots", () => {
  test("a payment of nothing with a note other than the empty one is refused, whether the witness admits it or not", async () => {
    const inputs = payManyInputs([one(5n), one(0n)], 1000n);
    await refuses(inputs, "IsZero");
    expect(refusesForged(inputs, { "isUnused[1]": 0n })).toEqual(["IsZero"]);
    expect(refusesForged(inputs, { "isUnused[1]": 1n })).toEqual(["main"]);
  });

  test("a payment behind the empty note is refused", () => {
    const inputs = payManyInputs([one(5n), one(6n)], 1000n);
    const notes = (inputs.notes as bigint[]).with(1, EMPTY_NOTE);
    expect(refusesForged({ ...inputs, notes })).toContain("NoteOpening");
  });
});

describe("invariant 1: the window", () => {
  test.each([
    ["less spent", { ...counted, spent: 0n }],
    ["more spent", { ...counted, spent: 41n }],
    ["another day", { ...counted, day: 20001n }],
    ["none", NO_WINDOW],
  ])("is carried on: %s in the new available balance is refused", async (_, window) => {
    await refuses(payManyInputs(full, limit, counted, window), "WindowedAvailableOpening");
  });

  test.each(SECOND_SPLITS)("has one split: %s is refused", async (_, split, template) => {
    await refuses(payManyInputs(full, split.limit, { spent: split.spent, day: split.day }), template);
  });
});

everyStatementCounts({
  "Range64(limit)": { inputs: payManyInputs([one(1n)], MAX + 1n) },
  "Range64(spent)": { inputs: payManyInputs(full, limit, { spent: MAX + 1n, day: 0n }) },
  "Range32(day)": { inputs: payManyInputs(full, limit, { spent: 0n, day: 2n ** 32n }) },
  ...perSlot(
    COUNT,
    (i) => `Range64(amounts[${i}])`,
    (i) => ({ inputs: payManyInputs([...nothing(i), one(-10n)], limit) }),
  ),
  "Range64(newLimit)": { inputs: payManyInputs([one(1001n)], limit) },
  "equation(amounts, limit, newLimit)": {
    inputs: { ...honest, newAvailable: available(limit, 82n, counted) },
    fixed: { newLimit: limit },
  },
  "WindowedAvailableOpening(oldAvailable)": otherCommitment(honest, "oldAvailable"),
  "WindowedAvailableOpening(newAvailable)": otherCommitment(honest, "newAvailable"),
  ...perSlot(
    COUNT,
    (i) => `NoteOpening(notes[${i}])`,
    (i) => otherCommitment(honest, "notes", i),
  ),
  ...perSlot(
    COUNT,
    (i) => `IsZero(amounts[${i}])`,
    (i) => ({ inputs: payManyInputs([...nothing(i), one(0n)], limit), fixed: { [`isUnused[${i}]`]: 0n } }),
  ),
  ...perSlot(
    COUNT,
    (i) => `equation(isUnused[${i}], noteSalts[${i}])`,
    (i) => ({ inputs: payManyInputs([...nothing(i), one(0n)], limit) }),
  ),
});
