import fc from "fast-check";
import { expect, test } from "vitest";
import { UNITS_BOUND } from "@/lib/ledger/crypto/field";
import { selectNotes } from "./select-notes";

const note = (amount: bigint) => ({ amount, salt: 1n });

test("without an amount the 8 largest notes and all deposited money are taken", () => {
  const notes = [9n, 8n, 7n, 6n, 5n, 4n, 3n, 2n, 1n].map(note);
  expect(selectNotes(notes, 10n, 0n)).toEqual({ notes: notes.slice(0, 8), deposited: 10n, added: 54n });
});

test("with an amount, notes go first and deposited money is taken whole or not at all", () => {
  expect(selectNotes([note(5n), note(3n)], 100n, 0n, 6n)).toMatchObject({ deposited: 0n, added: 6n });
  expect(selectNotes([note(5n)], 100n, 0n, 6n)).toMatchObject({ deposited: 100n, added: 6n });
});

test("nothing to take is null", () => {
  expect(selectNotes([], 0n, 7n)).toBeNull();
});

test("repeated until nothing is left, moves to the available balance add up to the amount wanted and never pass 2^64", () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 1n << 40n }), { maxLength: 30 });
  const units = fc.bigInt({ min: 0n, max: 1n << 40n });
  fc.assert(
    fc.property(amounts, units, units, fc.bigInt({ min: 0n, max: 1n << 42n }), (all, deposited, limit, wanted) => {
      const total = all.reduce((sum, amount) => sum + amount, deposited);
      let notes = all.map(note).sort((a, b) => (a.amount < b.amount ? 1 : -1));
      let rest = deposited;
      let left = wanted;
      let added = 0n;
      for (let rounds = 0; left > 0n; rounds++) {
        expect(rounds).toBeLessThan(10);
        const selection = selectNotes(notes, rest, limit + added, left);
        if (!selection) break;
        const change = selection.notes.reduce((sum, { amount }) => sum + amount, selection.deposited) - selection.added;
        expect(change).toBeGreaterThanOrEqual(0n);
        notes = notes.filter((candidate) => !selection.notes.includes(candidate));
        if (change > 0n) notes.push(note(change));
        rest -= selection.deposited;
        left -= selection.added;
        added += selection.added;
        expect(limit + added).toBeLessThan(UNITS_BOUND);
      }
      if (wanted < total) expect(added).toBe(wanted);
      else expect(added).toBe(total);
    }),
  );
});

test("an available balance is never filled past what 64 bits hold", () => {
  const near = UNITS_BOUND - 10n;
  expect(selectNotes([note(20n), note(5n)], 100n, near)).toEqual({ notes: [note(5n)], deposited: 0n, added: 5n });
});
