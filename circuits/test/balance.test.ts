import { describe, test } from "vitest";
import { guarantees } from "./guarantees.ts";
import { otherCommitment, perSlot } from "./mutants.ts";
import { OPENING, SECOND_SPLITS } from "./splits.ts";
import { balanceInputs, MAX } from "./vectors.ts";

const full = Array.from({ length: 16 }, (_, i) => ({ amount: BigInt(i + 1), salt: BigInt(100 + i) }));
const one = (amount: bigint) => ({ amount, salt: 7n });

const honest = balanceInputs(full, OPENING.limit, 136n + OPENING.limit, OPENING);
const { accepts, refuses, everyStatementCounts } = guarantees({ name: "balance", constraints: 5635, honest });

describe("totals", () => {
  test.each([
    ["an empty account", [], 0n, 0n],
    ["one note", [one(5n)], 0n, 5n],
    ["the available balance alone", [], 5n, 5n],
    ["the most", [one(MAX - 1n)], 1n, MAX],
    ["a note of nothing", [one(0n)], 5n, 5n],
  ])("%s is accepted", async (_, notes, limit, total) => {
    await accepts(balanceInputs(notes, limit, total));
  });

  test.each([
    ["2^64 in all", [one(MAX)], 1n, MAX + 1n],
    ["a note of 2^64", [one(MAX + 1n)], 0n, MAX + 1n],
    ["a negative note hiding money", [one(-5n)], 20n, 15n],
    ["a negative available balance hiding money", [one(20n)], -5n, 15n],
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

describe("invariant 1: a second split of the packed commitment", () => {
  test.each(SECOND_SPLITS)("%s is refused", async (_, split, template) => {
    await refuses(balanceInputs([one(0n)], split.limit, split.limit, split), template);
  });
});

everyStatementCounts({
  ...perSlot(
    16,
    (i) => `Range64(amounts[${i}])`,
    (i) => ({ inputs: balanceInputs([...Array(i).fill({ amount: 0n, salt: 0n }), one(-5n)], 20n, 15n) }),
  ),
  "Range64(limit)": { inputs: balanceInputs([one(20n)], -5n, 15n) },
  "Range64(spent)": { inputs: balanceInputs(full, 64n, 200n, { spent: MAX + 1n, day: 0n }) },
  "Range32(day)": { inputs: balanceInputs(full, 64n, 200n, { spent: 0n, day: 2n ** 32n }) },
  "Range64(total)": { inputs: balanceInputs([one(MAX)], 1n, MAX + 1n) },
  "equation(amounts, limit, total)": { inputs: balanceInputs([one(5n)], 20n, 24n) },
  ...perSlot(
    16,
    (i) => `NoteOpening(notes[${i}])`,
    (i) => otherCommitment(honest, "notes", i),
  ),
  "WindowedAvailableOpening(available)": otherCommitment(honest, "available"),
});
