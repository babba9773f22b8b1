import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { address, bytes, positiveUnits, ref, scope, units } from "@/test/ledger/arbitraries";
import { payer, runs } from "@/test/ledger/plans";
import { decryptPayerCopy, noteOfCopy } from "../encrypted/payer-copy";
import { decryptRecipientCopy } from "../encrypted/recipient-copy";
import { planMakeAvailable } from "../prepare/plan-make-available";
import { planTransfer } from "../prepare/plan-transfer";
import { fromHex } from "./bytes";
import { deriveAgentHalf, deriveHeldKey, deriveKnowledge } from "./keys";
import { availableSaltOf, deriveSeedKey, MOST_SEEDS, noteSaltOf, paymentSeed, seedsOf } from "./payment-seed";

const key = fc.string({ minLength: 1, maxLength: 40 });

describe("the seed of a payment", () => {
  // Two processes with the same account key must continue the same payment, and no one else may know its seed.
  it("follows from account key, account and idempotency key, and from the account secret in no way", () => {
    fc.assert(
      fc.property(scope, bytes(32), address, key, key, (sc, accountKey, account, id, other) => {
        fc.pre(id !== other);
        const seed = paymentSeed(deriveSeedKey(accountKey, sc), sc, account, id);
        expect(paymentSeed(deriveSeedKey(accountKey, sc), sc, account, id)).toEqual(seed);
        expect(paymentSeed(deriveSeedKey(accountKey, sc), sc, account, other)).not.toEqual(seed);
        const s = deriveKnowledge(accountKey, sc, 1);
        for (const known of [s, deriveAgentHalf(s, account, sc), deriveKnowledge(accountKey, sc, 2)]) {
          expect(paymentSeed(known, sc, account, id)).not.toEqual(seed);
          expect(paymentSeed(deriveSeedKey(known, sc), sc, account, id)).not.toEqual(seed);
        }
      }),
      { numRuns: 20 },
    );
  });

  it("has others after it, each of which gives the same note another salt", () => {
    fc.assert(
      fc.property(ref, bytes(32), positiveUnits, (place, seed, amount) => {
        const seeds = seedsOf(seed, place.scope);
        expect(seeds[0]).toEqual(seed);
        expect(seedsOf(seed, place.scope)).toEqual(seeds);
        expect(new Set(seeds.map((one) => noteSaltOf(one, place, amount))).size).toBe(MOST_SEEDS);
      }),
      { numRuns: 3 },
    );
  });

  it("gives an available balance salt that is fresh over every available balance commitment, the empty one read as such", () => {
    fc.assert(
      fc.property(ref, bytes(32), units, ({ scope: sc }, seed, commitment) => {
        expect(availableSaltOf(seed, sc, commitment)).toBe(availableSaltOf(seed, sc, commitment));
        expect(availableSaltOf(seed, sc, commitment + 1n)).not.toBe(availableSaltOf(seed, sc, commitment));
      }),
      { numRuns: 20 },
    );
  });

  it("gives another note salt for another owner, asset or amount, so that no payee learns of another payment", () => {
    fc.assert(
      fc.property(ref, bytes(32), address, positiveUnits, (there, seed, other, amount) => {
        fc.pre(other !== there.account && other !== there.asset);
        const salt = noteSaltOf(seed, there, amount);
        expect(noteSaltOf(seed, { ...there, account: other }, amount)).not.toBe(salt);
        expect(noteSaltOf(seed, { ...there, asset: other }, amount)).not.toBe(salt);
        expect(noteSaltOf(seed, there, amount + 1n)).not.toBe(salt);
      }),
      { numRuns: 20 },
    );
  });
});

describe("someone who steals the account secret later", () => {
  // The attacker has s of every version, everything derived from it, and everything on chain.
  it("opens no past payment: neither its copies nor, by a seed of his own making, its note", async () => {
    await fc.assert(
      fc.asyncProperty(payer, bytes(32), key, async ({ request, viewing }, accountKey, id) => {
        const { scope: sc, account, asset, to, amount } = request;
        const seed = paymentSeed(deriveSeedKey(accountKey, sc), sc, account, id);
        const { draft } = await planTransfer({ ...request, seed, recipientViewingKey: viewing.publicKey });
        const s = deriveKnowledge(accountKey, sc, 1);
        const stolen = [
          s,
          deriveKnowledge(accountKey, sc, 2),
          deriveAgentHalf(s, account, sc),
          deriveHeldKey(s, sc).secret,
        ];
        const there = { scope: sc, account: to, asset, commitment: BigInt(draft.note) };
        const available = { scope: sc, account, asset, commitment: BigInt(draft.new_available) };
        for (const secret of stolen) {
          expect(await decryptPayerCopy(secret, available, fromHex(draft.payer_ciphertext))).toBeNull();
          expect(await decryptRecipientCopy(secret, there, fromHex(draft.recipient_ciphertext))).toBeNull();
          for (const guess of [
            secret,
            paymentSeed(secret, sc, account, id),
            paymentSeed(deriveSeedKey(secret, sc), sc, account, id),
          ])
            expect(noteOfCopy({ amount, seed: guess }, there)).toBeNull();
        }
      }),
      { numRuns: 5 },
    );
  });
});

describe("a payment that is prepared again", () => {
  it("makes the same note over any other available balance, and another available balance commitment", async () => {
    await fc.assert(
      fc.asyncProperty(
        payer,
        bytes(32),
        fc.bigInt({ min: 1n, max: 1n << 60n }),
        async ({ request, viewing }, seed, salt) => {
          fc.pre(salt !== request.available.salt);
          const payment = { ...request, seed, recipientViewingKey: viewing.publicKey };
          const first = await planTransfer(payment);
          const again = await planTransfer({ ...payment, available: { ...request.available, salt } });
          expect(again.draft.note).toBe(first.draft.note);
          expect(again.draft.new_available).not.toBe(first.draft.new_available);
          // With the same available balance, it is the same call except for its ciphertexts.
          expect((await planTransfer(payment)).draft.new_available).toBe(first.draft.new_available);
        },
      ),
      runs,
    );
  });

  it("as a move to the available balance leaves the same change note for the same target", async () => {
    await fc.assert(
      fc.asyncProperty(payer, bytes(32), async ({ request }, seed) => {
        const makingAvailable = {
          ...request,
          notes: [],
          deposited: 10n,
          newLimit: request.available.limit,
          nonce: 3n,
          seed,
        };
        const [first, again] = await Promise.all([
          planMakeAvailable(makingAvailable),
          planMakeAvailable(makingAvailable),
        ]);
        expect(again.draft.change_note).toBe(first.draft.change_note);
        expect(again.draft.nonce).toBe(first.draft.nonce);
      }),
      { numRuns: 5 },
    );
  });
});
