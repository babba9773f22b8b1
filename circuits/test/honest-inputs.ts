import fc from "fast-check";
import type { CircuitName } from "../build/circuits.ts";
import { R } from "../witness/field.ts";
import type { Inputs } from "./forge.ts";
import { NO_LIMITS, type Spending, spendInputs, spendPublicInputs } from "./spend-vectors.ts";
import { available, MAX, NO_WINDOW, note, type Window } from "./vectors.ts";

const fieldElement = fc.bigInt({ min: 0n, max: R - 1n });
/** Amounts of every length, the least and the most among them. */
const units = fc.oneof(fc.constantFrom(0n, 1n, MAX), fc.bigInt({ min: 0n, max: MAX }));
/** Small enough that 18 of them and more are below 2^64. */
const share = fc.oneof(fc.constantFrom(0n, 1n), fc.bigInt({ min: 0n, max: 2n ** 59n }));

/** A part of 1 to `whole` units; the limit it comes from is 1 or more. */
const partOf = (whole: bigint) => fc.oneof(fc.constantFrom(1n, whole), fc.bigInt({ min: 1n, max: whole }));
const payment = units
  .map((limit) => limit || 1n)
  .chain((limit) => fc.record({ limit: fc.constant(limit), amount: partOf(limit) }));
const openings = (count: number) =>
  fc.array(fc.oneof(fc.constant({ amount: 0n, salt: 0n }), fc.record({ amount: share, salt: fieldElement })), {
    minLength: count,
    maxLength: count,
  });

const days = fc.oneof(fc.constantFrom(0n, 2n ** 32n - 1n), fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }));
const window = fc.oneof(fc.constant(NO_WINDOW), fc.record({ spent: units, day: days }));
const named = ({ spent, day }: Window, prefix: string) => ({ [`${prefix}Spent`]: spent, [`${prefix}Day`]: day });

/** A payment under a policy, of small amounts: their sums are what a limit of 64 bits allows. */
const spending: fc.Arbitrary<Spending> = fc
  .record({ amount: fc.bigInt({ min: 1n, max: 2n ** 32n }), rest: share, spent: share, oldDay: days, day: days })
  .chain(({ amount, rest, spent, oldDay, day }) => {
    const window = { spent, day: oldDay };
    const limits = fc.oneof(
      fc.constant(NO_LIMITS),
      fc.constant({ perPayment: amount, daily: spent + amount, threshold: amount }),
    );
    return fc.record({
      ...{ limit: fc.constant(amount + rest), amount: fc.constant(amount), window: fc.constant(window) },
      ...{ mode: fc.constantFrom(0n, 1n, 2n), day: fc.constant(day), limits },
    });
  });

/** Amounts of payments: 0 behind the empty note alone. */
const payments = (count: number) =>
  openings(count).map((all) => all.map((one) => (one.amount === 0n ? { amount: 0n, salt: 0n } : one)));

/** Inputs that satisfy every statement of a circuit, with any salts, at random. */
export const honestInputs: Record<CircuitName, fc.Arbitrary<Inputs>> = {
  transfer: fc
    .record({ payment, oldSalt: fieldElement, newSalt: fieldElement, noteSalt: fieldElement, ctx: fieldElement })
    .map(({ payment: { limit, amount }, oldSalt, newSalt, noteSalt, ctx }) => ({
      ...{ limit, amount, oldSalt, newSalt, noteSalt, ctx },
      oldAvailable: available(limit, oldSalt),
      newAvailable: available(limit - amount, newSalt),
      note: note(amount, noteSalt),
    })),
  release: fc
    .record({ payment, oldSalt: fieldElement, newSalt: fieldElement, ctx: fieldElement })
    .map(({ payment: { limit, amount }, oldSalt, newSalt, ctx }) => ({
      ...{ limit, amount, oldSalt, newSalt, ctx },
      oldAvailable: available(limit, oldSalt),
      newAvailable: available(limit - amount, newSalt),
    })),
  fund: fc
    .record({
      payment,
      toNewLimit: units,
      fromOldSalt: fieldElement,
      fromNewSalt: fieldElement,
      toOldSalt: fieldElement,
      toNewSalt: fieldElement,
      ctx: fieldElement,
      from: window,
      to: window,
    })
    .map(({ payment: { limit: fromLimit, amount: most }, toNewLimit, ctx, from, to, ...salts }) => {
      const amount = toNewLimit === 0n || most < toNewLimit ? most : toNewLimit;
      const toLimit = toNewLimit < amount ? 0n : toNewLimit - amount;
      return {
        ...{ fromLimit, toLimit, amount, ctx, ...salts, ...named(from, "from"), ...named(to, "to") },
        fromOld: available(fromLimit, salts.fromOldSalt, from),
        fromNew: available(fromLimit - amount, salts.fromNewSalt, from),
        toOld: available(toLimit, salts.toOldSalt, to),
        toNew: available(toLimit + amount, salts.toNewSalt, to),
      };
    }),
  "make-available": fc
    .record({
      slots: openings(8),
      ...{ deposited: share, oldLimit: share, part: fc.bigInt({ min: 0n, max: 100n }) },
      ...{
        oldSalt: fieldElement,
        newSalt: fieldElement,
        someSalt: fieldElement,
        ctx: fieldElement,
        before: window,
        after: window,
      },
    })
    .map(({ slots, deposited, oldLimit, part, oldSalt, newSalt, someSalt, ctx, before, after }) => {
      const inflow = sumOf(slots) + deposited + oldLimit;
      const change = (inflow * part) / 100n;
      const newLimit = inflow - change;
      const changeSalt = change === 0n ? 0n : someSalt;
      return {
        ...{ deposited, oldLimit, newLimit, change, oldSalt, newSalt, changeSalt, ctx, ...spread(slots) },
        ...{ ...named(before, "old"), ...named(after, "new") },
        oldAvailable: available(oldLimit, oldSalt, before),
        newAvailable: available(newLimit, newSalt, after),
        changeNote: note(change, changeSalt),
      };
    }),
  balance: fc
    .record({ slots: openings(16), limit: share, salt: fieldElement, ctx: fieldElement, window })
    .map(({ slots, limit, salt, ctx, window }) => ({
      ...{ limit, salt, ctx, total: sumOf(slots) + limit, ...spread(slots), ...window },
      available: available(limit, salt, window),
    })),
  spend: spending.map(spendInputs),
  "spend-public": spending.map(spendPublicInputs),
  "pay-many": fc
    .record({
      slots: payments(16),
      rest: share,
      oldSalt: fieldElement,
      newSalt: fieldElement,
      ctx: fieldElement,
      window,
    })
    .map(({ slots, rest, oldSalt, newSalt, ctx, window }) => {
      const limit = rest + sumOf(slots);
      return {
        ...{ limit, oldSalt, newSalt, ctx, ...spread(slots), ...window },
        oldAvailable: available(limit, oldSalt, window),
        newAvailable: available(rest, newSalt, window),
      };
    }),
  "at-least": fc
    .record({ slots: openings(16), limit: share, salt: fieldElement, ctx: fieldElement, window, missing: share })
    .map(({ slots, limit, salt, ctx, window, missing }) => {
      const held = sumOf(slots) + limit;
      return {
        ...{ limit, salt, ctx, ...spread(slots), ...window },
        minimum: held > missing ? held - missing : 0n,
        available: available(limit, salt, window),
      };
    }),
};

interface Opening {
  amount: bigint;
  salt: bigint;
}

function sumOf(slots: Opening[]): bigint {
  return slots.reduce((sum, { amount }) => sum + amount, 0n);
}

function spread(slots: Opening[]): Inputs {
  return {
    notes: slots.map(({ amount, salt }) => note(amount, salt)),
    amounts: slots.map(({ amount }) => amount),
    noteSalts: slots.map(({ salt }) => salt),
  };
}
