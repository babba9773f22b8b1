import { describe, expect, test } from "vitest";
import { R } from "../witness/field.ts";
import { guarantees } from "./guarantees.ts";
import { otherCommitment, perSlot } from "./mutants.ts";
import { OPENING, SECOND_SPLITS } from "./splits.ts";
import { EMPTY_NOTE, MAX, makeAvailableInputs } from "./vectors.ts";

const full = Array.from({ length: 8 }, (_, i) => ({ amount: BigInt(10 * (i + 1)), salt: BigInt(200 + i) }));
const one = (amount: bigint, salt = 7n) => ({ amount, salt });

const { limit: oldLimit, ...oldWindow } = OPENING;
const newWindow = { spent: 41n, day: 20001n };
const makingAvailable = { notes: full, deposited: 40n, oldLimit, oldWindow, newLimit: 1350n, newWindow, change: 50n };
const honest = makeAvailableInputs(makingAvailable);
const { accepts, refuses, refusesForged, everyStatementCounts } = guarantees({
  name: "make-available",
  constraints: 3802,
  honest,
});

describe("sums", () => {
  test.each([
    ["deposited money alone", { deposited: 9n, newLimit: 9n }],
    ["notes alone", { notes: full, newLimit: 360n }],
    ["all of it back as change", { oldLimit: 5n, newLimit: 0n, change: 5n }],
    ["the most an available balance holds", { deposited: MAX, newLimit: MAX }],
    ["the most everywhere", { deposited: MAX, oldLimit: MAX, newLimit: MAX, change: MAX }],
    ["a re-salted empty available balance", { newLimit: 0n }],
    ["a note of nothing, which adds nothing", { notes: [one(0n)], deposited: 9n, newLimit: 9n }],
  ])("%s is accepted", async (_, makingAvailable) => {
    await accepts(makeAvailableInputs(makingAvailable));
  });

  test.each([
    ["money from nothing", { newLimit: 1n }],
    ["money from a note of nothing", { notes: [one(0n)], newLimit: 1n }],
    ["money that vanishes", { deposited: 9n, newLimit: 8n }],
  ])("%s is refused", async (_, makingAvailable) => {
    await refuses(makeAvailableInputs(makingAvailable), "main");
  });

  test.each([
    ["an available balance of 2^64", { deposited: MAX, oldLimit: 1n, newLimit: MAX + 1n }],
    ["change of 2^64", { deposited: MAX, oldLimit: 1n, newLimit: 0n, change: MAX + 1n }],
    ["negative change that swells the available balance", { deposited: 9n, newLimit: 19n, change: -10n }],
    ["a negative available balance that swells the change", { deposited: 9n, newLimit: -10n, change: 19n }],
    ["a negative note paid for by another", { notes: [one(-10n), one(19n, 8n)], newLimit: 9n }],
    ["a note of 2^64", { notes: [one(MAX + 1n)], newLimit: MAX, change: 1n }],
    ["deposited money of 2^64", { deposited: MAX + 1n, newLimit: MAX, change: 1n }],
    ["deposited money beyond the middle of the field", { deposited: R - 1n, oldLimit: 10n, newLimit: 9n }],
    ["an old available balance of 2^64", { oldLimit: MAX + 1n, newLimit: MAX, change: 1n }],
  ])("%s is refused", async (_, makingAvailable) => {
    await refuses(makeAvailableInputs(makingAvailable), "Range64");
  });
});

describe("change", () => {
  test("no change with a note other than the empty one is refused, whether the witness admits it or not", async () => {
    const inputs = makeAvailableInputs({ deposited: 9n, newLimit: 9n, changeSalt: 43n });
    await refuses(inputs, "IsZero");
    expect(refusesForged(inputs, { noChange: 0n })).toEqual(["IsZero"]);
    expect(refusesForged(inputs, { noChange: 1n })).toEqual(["main"]);
  });

  test("change behind the empty note is refused", () => {
    for (const changeSalt of [0n, 43n]) {
      const inputs = {
        ...makeAvailableInputs({ deposited: 9n, newLimit: 4n, change: 5n, changeSalt }),
        changeNote: EMPTY_NOTE,
      };
      expect(refusesForged(inputs)).toContain("NoteOpening");
    }
  });
});

describe("invariant 1: windows", () => {
  test.each([
    ["kept", oldWindow],
    ["cleared", undefined],
    ["the most that a window holds", { spent: MAX, day: 2n ** 32n - 1n }],
  ])("%s: the wallet, which signs, may choose it", async (_, window) => {
    await accepts(makeAvailableInputs({ ...makingAvailable, newWindow: window }));
  });

  test.each(SECOND_SPLITS)("of the old commitment: %s is refused", async (_, split, template) => {
    const newLimit = 350n + split.limit;
    await refuses(
      makeAvailableInputs({ ...makingAvailable, oldLimit: split.limit, oldWindow: split, newLimit }),
      template,
    );
  });

  test.each(SECOND_SPLITS)("of the new commitment: %s is refused", async (_, split, template) => {
    const deposited = split.limit - 360n;
    const inputs = makeAvailableInputs({ notes: full, deposited, newLimit: split.limit, newWindow: split });
    await refuses(inputs, template);
  });
});

everyStatementCounts({
  ...perSlot(
    8,
    (i) => `Range64(amounts[${i}])`,
    (i) => ({
      inputs: makeAvailableInputs({ notes: [...Array(i).fill(one(0n, 0n)), one(MAX + 1n)], newLimit: MAX, change: 1n }),
    }),
  ),
  "Range64(deposited)": { inputs: makeAvailableInputs({ deposited: MAX + 1n, newLimit: MAX, change: 1n }) },
  "Range64(oldLimit)": { inputs: makeAvailableInputs({ oldLimit: MAX + 1n, newLimit: MAX, change: 1n }) },
  "Range64(oldSpent)": {
    inputs: makeAvailableInputs({ ...makingAvailable, oldWindow: { spent: MAX + 1n, day: 0n } }),
  },
  "Range32(oldDay)": { inputs: makeAvailableInputs({ ...makingAvailable, oldWindow: { spent: 0n, day: 2n ** 32n } }) },
  "Range64(newLimit)": { inputs: makeAvailableInputs({ deposited: MAX, oldLimit: 1n, newLimit: MAX + 1n }) },
  "Range64(newSpent)": { inputs: makeAvailableInputs({ ...makingAvailable, newWindow: { spent: MAX + 1n, day: 0n } }) },
  "Range32(newDay)": { inputs: makeAvailableInputs({ ...makingAvailable, newWindow: { spent: 0n, day: 2n ** 32n } }) },
  "Range64(change)": { inputs: makeAvailableInputs({ deposited: MAX, oldLimit: 1n, newLimit: 0n, change: MAX + 1n }) },
  "equation(amounts, change, deposited, newLimit, oldLimit)": { inputs: makeAvailableInputs({ newLimit: 1n }) },
  ...perSlot(
    8,
    (i) => `NoteOpening(notes[${i}])`,
    (i) => otherCommitment(honest, "notes", i),
  ),
  "WindowedAvailableOpening(oldAvailable)": otherCommitment(honest, "oldAvailable"),
  "WindowedAvailableOpening(newAvailable)": otherCommitment(honest, "newAvailable"),
  "NoteOpening(changeNote)": otherCommitment(honest, "changeNote"),
  "IsZero(change)": {
    inputs: makeAvailableInputs({ deposited: 9n, newLimit: 9n, changeSalt: 43n }),
    fixed: { noChange: 0n },
  },
  "equation(changeSalt, noChange)": {
    inputs: makeAvailableInputs({ deposited: 9n, newLimit: 9n, changeSalt: 43n }),
  },
});
