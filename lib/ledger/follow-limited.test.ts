import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { day, salt, units, window } from "@/test/ledger/arbitraries";
import { type AvailableOpening, availableCommitment, noteCommitment } from "./crypto/commitments";
import { FIELD_ORDER } from "./crypto/field";
import { encryptAmount, noteRatchet, publicRatchet } from "./crypto/ratchet";
import { packTerms, SPEND_MODE, type SpendMode } from "./crypto/terms";
import { windowAfter } from "./crypto/window-after";
import { followLimited, type LimitedPayment } from "./follow-limited";

const available = fc.record({ limit: units, salt, window: window.map(({ day: d }) => ({ spent: 0n, day: d })) });
const payment = fc.record({
  share: fc.bigInt(1n, 9n),
  mode: fc.constantFrom<SpendMode>(0, 1, 2),
  day,
  noteSalt: fc.option(salt),
});

/** Makes a payment as the circuits do, without any payer's copy. */
function pay(
  old: AvailableOpening,
  { share, mode, day: d, noteSalt }: typeof payment extends fc.Arbitrary<infer T> ? T : never,
) {
  const amount = (old.limit * share) / 10n;
  const terms = { mode, day: mode === SPEND_MODE.wallet ? 0n : d };
  const note = noteSalt === null ? null : noteCommitment({ amount, salt: noteSalt });
  const step = note === null ? { salt: publicRatchet(old.salt), pad: 0n } : noteRatchet(old.salt, note);
  const next = { limit: old.limit - amount, salt: step.salt, window: windowAfter(old.window, terms, amount) };
  const shown = { newAvailable: availableCommitment(next), terms: packTerms(terms) };
  const event: LimitedPayment =
    note === null ? { ...shown, amount } : { ...shown, note, encryptedAmount: encryptAmount(amount, step.pad) };
  return { next, amount, event };
}

describe("following a limited available balance", () => {
  // Otherwise a signer could pay one unit with an unreadable copy and hold the rest to ransom.
  it("opens every available balance of a chain of payments from its first, by events alone", () => {
    fc.assert(
      fc.property(available, fc.array(payment, { minLength: 1, maxLength: 6 }), (first, payments) => {
        let [paid, known]: [AvailableOpening, AvailableOpening] = [first, first];
        for (const one of payments) {
          fc.pre(paid.limit > 10n);
          const { next, amount, event } = pay(paid, one);
          const followed = followLimited(known, event);
          expect(followed).toEqual({ amount, available: next });
          [paid, known] = [next, followed?.available ?? first];
        }
      }),
      { numRuns: 12 },
    );
  });

  it("opens nothing with another opening, or when any part of the event differs", () => {
    fc.assert(
      fc.property(available, payment, (first, one) => {
        fc.pre(first.limit > 10n);
        const { next, event } = pay(first, one);
        expect(followLimited({ ...first, salt: first.salt ^ 1n }, event)).toBeNull();
        expect(followLimited({ ...first, limit: first.limit ^ 1n }, event)).toBeNull();
        // If the payment's day is later, a new count starts and what was spent before doesn't matter. So the result is
        // either right or null.
        const counted = followLimited({ ...first, window: { ...first.window, spent: 1n } }, event);
        expect([null, next]).toContainEqual(counted?.available ?? null);
        expect(followLimited(first, { ...event, newAvailable: event.newAvailable ^ 1n })).toBeNull();
        expect(followLimited(first, { ...event, terms: 3n })).toBeNull();
        if ("note" in event) {
          expect(followLimited(first, { ...event, note: event.note ^ 1n })).toBeNull();
          expect(
            followLimited(first, { ...event, encryptedAmount: (event.encryptedAmount + 1n) % FIELD_ORDER }),
          ).toBeNull();
        } else {
          expect(followLimited(first, { ...event, amount: event.amount + 1n })).toBeNull();
          expect(followLimited(first, { ...event, amount: 0n })).toBeNull();
        }
      }),
      { numRuns: 12 },
    );
  });
});
