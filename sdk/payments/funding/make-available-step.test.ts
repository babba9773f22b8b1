import fc from "fast-check";
import { expect, test } from "vitest";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { goalAfter, type MakeAvailableGoal, makeAvailableStep } from "./make-available-step";

const note = (amount: bigint) => ({ amount, salt: 1n });
const available = (limit: bigint) => ({ limit, salt: 1n, window: NO_WINDOW });

test("a smaller available balance takes in neither notes nor deposited money", () => {
  const funds = { notes: [note(5n)], deposited: 7n, available: available(100n) };
  expect(makeAvailableStep(funds, { available: 30n })).toEqual({ notes: [], deposited: 0n, added: 0n, newLimit: 30n });
  expect(makeAvailableStep(funds, { available: 0n })).toMatchObject({ newLimit: 0n });
});

test("a larger available balance takes in what is missing, notes first", () => {
  const funds = { notes: [note(50n), note(5n)], deposited: 7n, available: available(100n) };
  expect(makeAvailableStep(funds, { available: 130n })).toEqual({
    notes: [note(50n)],
    deposited: 0n,
    added: 30n,
    newLimit: 130n,
  });
  expect(makeAvailableStep(funds, { add: 60n })).toMatchObject({ deposited: 7n, newLimit: 160n });
  expect(makeAvailableStep(funds, {})).toMatchObject({ deposited: 7n, newLimit: 162n });
});

test("an available balance that is as wanted needs no move to the available balance", () => {
  const funds = { notes: [note(5n)], deposited: 7n, available: available(100n) };
  expect(makeAvailableStep(funds, { available: 100n })).toBeNull();
  expect(makeAvailableStep(funds, { add: 0n })).toBeNull();
  expect(makeAvailableStep({ ...funds, notes: [], deposited: 0n }, {})).toBeNull();
});

test("steps add up to the goal, whatever is paid out of the available balance between them", () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 1n << 40n }), { maxLength: 30 });
  const units = fc.bigInt({ min: 0n, max: 1n << 40n });
  fc.assert(
    fc.property(amounts, units, units, units, (all, deposited, limit, target) => {
      const total = all.reduce((sum, amount) => sum + amount, deposited);
      const state = { notes: all.map(note), deposited: deposited, available: available(limit) };
      let goal: MakeAvailableGoal = { available: target };
      let paid = 0n;
      for (let rounds = 0; ; rounds++) {
        expect(rounds).toBeLessThan(12);
        const step = makeAvailableStep(state, goal);
        if (!step) break;
        goal = goalAfter(goal, { before: state.available.limit, added: step.added });
        const taken = step.notes.reduce((sum, { amount }) => sum + amount, step.deposited);
        const change = taken + state.available.limit - step.newLimit;
        expect(change).toBeGreaterThanOrEqual(0n);
        state.notes = state.notes.filter((candidate) => !step.notes.includes(candidate));
        if (change > 0n) state.notes.push(note(change));
        state.deposited -= step.deposited;
        // Simulates a payment between two moves to the available balance.
        const payment = step.newLimit > 0n ? 1n : 0n;
        paid += payment;
        state.available = available(step.newLimit - payment);
      }
      if (target < limit + total) expect(state.available.limit + paid).toBe(target);
      else expect(state.available.limit + paid).toBe(limit + total);
    }),
  );
});
