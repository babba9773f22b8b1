import { describe, test } from "vitest";
import { mod } from "../witness/field.ts";
import type { Inputs } from "./forge.ts";
import { guarantees } from "./guarantees.ts";
import { otherCommitment, perSlot } from "./mutants.ts";
import { OPENING, SECOND_SPLITS } from "./splits.ts";
import { available, CTX, MAX, NO_WINDOW, type Note, slots, type Window } from "./vectors.ts";

const COUNT = 16;
const one = (amount: bigint) => ({ amount, salt: 7n });

function atLeastInputs(held: Note[], limit: bigint, minimum: bigint, window: Window = NO_WINDOW): Inputs {
  const salt = limit === 0n ? 0n : 91n;
  const { spent, day } = window;
  return {
    ...slots(held, COUNT),
    available: available(limit, salt, window),
    minimum: mod(minimum),
    ctx: CTX,
    ...{ limit: mod(limit), spent: mod(spent), day: mod(day), salt },
  };
}

const full = Array.from({ length: COUNT }, (_, i) => ({ amount: BigInt(i + 1), salt: BigInt(100 + i) }));
// The most that holds, so that a larger minimum alone is refused as well.
const honest = atLeastInputs(full, OPENING.limit, 136n + OPENING.limit, OPENING);
const { accepts, refuses, everyStatementCounts } = guarantees({ name: "at-least", constraints: 5704, honest });

describe("minimums", () => {
  test.each([
    ["nothing of nothing", [], 0n, 0n],
    ["exactly what there is", [one(5n)], 20n, 25n],
    ["less than there is", [one(5n)], 20n, 1n],
    ["the largest minimum, of the most there can be", Array<Note>(COUNT).fill(one(MAX)), MAX, MAX],
    ["nothing, of the most there can be", Array<Note>(COUNT).fill(one(MAX)), MAX, 0n],
  ])("%s is accepted", async (_, held, limit, minimum) => {
    await accepts(atLeastInputs(held, limit, minimum));
  });

  test("one more than there is is refused", async () => {
    await refuses(atLeastInputs([one(5n)], 20n, 26n), "Range69");
    await refuses(atLeastInputs([], 0n, 1n), "Range69");
    await refuses(atLeastInputs([], 0n, MAX), "Range69");
  });

  test.each([
    ["a note of 2^64", [one(MAX + 1n)], 0n, MAX],
    ["a negative note beside more", [one(-5n)], 20n, 5n],
    ["a negative available balance beside more", [one(20n)], -5n, 5n],
    ["a negative minimum", [one(5n)], 20n, -1n],
    ["a minimum of 2^64", [one(MAX)], 1n, MAX + 1n],
  ])("%s is refused", async (_, held, limit, minimum) => {
    await refuses(atLeastInputs(held, limit, minimum), "Range64");
  });
});

describe("invariant 1: a second split of the packed commitment", () => {
  test.each(SECOND_SPLITS)("%s is refused", async (_, split, template) => {
    await refuses(atLeastInputs([one(2n ** 63n), one(2n ** 63n)], split.limit, 1n, split), template);
  });
});

everyStatementCounts({
  ...perSlot(
    COUNT,
    (i) => `Range64(amounts[${i}])`,
    (i) => ({ inputs: atLeastInputs([...Array<Note>(i).fill({ amount: 0n, salt: 0n }), one(-5n)], 20n, 5n) }),
  ),
  "Range64(limit)": { inputs: atLeastInputs([one(20n)], -5n, 5n) },
  "Range64(spent)": { inputs: atLeastInputs(full, 64n, 5n, { spent: MAX + 1n, day: 0n }) },
  "Range32(day)": { inputs: atLeastInputs(full, 64n, 5n, { spent: 0n, day: 2n ** 32n }) },
  "Range64(minimum)": { inputs: atLeastInputs([one(5n)], 20n, -1n) },
  "Range69(amounts + limit - minimum)": { inputs: atLeastInputs([one(5n)], 20n, 26n) },
  ...perSlot(
    COUNT,
    (i) => `NoteOpening(notes[${i}])`,
    (i) => otherCommitment(honest, "notes", i),
  ),
  "WindowedAvailableOpening(available)": otherCommitment(honest, "available"),
});
