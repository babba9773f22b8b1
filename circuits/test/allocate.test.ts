import { describe, expect, test } from "vitest";
import { R } from "./field.ts";
import { guarantees } from "./guarantees.ts";
import { allocateInputs, EMPTY_NOTE, MAX } from "./vectors.ts";

const full = Array.from({ length: 8 }, (_, i) => ({ amount: BigInt(10 * (i + 1)), salt: BigInt(200 + i) }));
const one = (amount: bigint, salt = 7n) => ({ amount, salt });

const { accepts, refuses, refusesForged } = guarantees({
  name: "allocate",
  constraints: 3610,
  honest: allocateInputs({ notes: full, credit: 40n, oldLimit: 100n, newLimit: 450n, change: 50n }),
});

describe("sums", () => {
  test.each([
    ["credit alone", { credit: 9n, newLimit: 9n }],
    ["notes alone", { notes: full, newLimit: 360n }],
    ["all of it back as change", { oldLimit: 5n, newLimit: 0n, change: 5n }],
    ["the most a budget holds", { credit: MAX, newLimit: MAX }],
    ["the most everywhere", { credit: MAX, oldLimit: MAX, newLimit: MAX, change: MAX }],
    ["a re-salted empty budget", { newLimit: 0n }],
    ["a note of nothing, which adds nothing", { notes: [one(0n)], credit: 9n, newLimit: 9n }],
  ])("%s is accepted", async (_, allocation) => {
    await accepts(allocateInputs(allocation));
  });

  test.each([
    ["money from nothing", { newLimit: 1n }],
    ["money from a note of nothing", { notes: [one(0n)], newLimit: 1n }],
    ["money that vanishes", { credit: 9n, newLimit: 8n }],
  ])("%s is refused", async (_, allocation) => {
    await refuses(allocateInputs(allocation), "main");
  });

  test.each([
    ["a budget of 2^64", { credit: MAX, oldLimit: 1n, newLimit: MAX + 1n }],
    ["change of 2^64", { credit: MAX, oldLimit: 1n, newLimit: 0n, change: MAX + 1n }],
    ["negative change that swells the budget", { credit: 9n, newLimit: 19n, change: -10n }],
    ["a negative budget that swells the change", { credit: 9n, newLimit: -10n, change: 19n }],
    ["a negative note paid for by another", { notes: [one(-10n), one(19n, 8n)], newLimit: 9n }],
    ["a note of 2^64", { notes: [one(MAX + 1n)], newLimit: MAX, change: 1n }],
    ["credit of 2^64", { credit: MAX + 1n, newLimit: MAX, change: 1n }],
    ["credit beyond the middle of the field", { credit: R - 1n, oldLimit: 10n, newLimit: 9n }],
    ["an old budget of 2^64", { oldLimit: MAX + 1n, newLimit: MAX, change: 1n }],
  ])("%s is refused", async (_, allocation) => {
    await refuses(allocateInputs(allocation), "Range64");
  });
});

describe("change", () => {
  test("no change with a note other than the empty one is refused, whether the witness admits it or not", async () => {
    const inputs = allocateInputs({ credit: 9n, newLimit: 9n, changeSalt: 43n });
    await refuses(inputs, "IsZero");
    expect(refusesForged(inputs, { "main.noChange": 0n })).toEqual(["IsZero"]);
    expect(refusesForged(inputs, { "main.noChange": 1n })).toEqual(["main"]);
  });

  test("change behind the empty note is refused", () => {
    for (const changeSalt of [0n, 43n]) {
      const inputs = {
        ...allocateInputs({ credit: 9n, newLimit: 4n, change: 5n, changeSalt }),
        changeNote: EMPTY_NOTE,
      };
      expect(refusesForged(inputs)).toContain("NoteOpening");
    }
  });
});
