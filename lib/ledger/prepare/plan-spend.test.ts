import fc from "fast-check";
import { poseidon2, poseidon3 } from "poseidon-lite";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { bytes } from "@/test/ledger/arbitraries";
import { committedAvailable, committedNote, complete, limitedPayer, runs, signal } from "@/test/ledger/plans";
import { fromHex } from "../crypto/bytes";
import { InsufficientAvailableBalance, InvalidUnits } from "../crypto/errors";
import { FIELD_ORDER } from "../crypto/field";
import { policyCommitment } from "../crypto/policy-commitment";
import { decryptAvailableState } from "../encrypted/available-state";
import { decryptPayerCopy, noteOfCopy } from "../encrypted/payer-copy";
import { decryptRecipientCopy } from "../encrypted/recipient-copy";
import { followLimited } from "../follow-limited";
import { dayWindow } from "../policy/day-window";
import { SignedPaymentSchema } from "./documents";
import { lowerCase } from "./next-state";
import { planSpend } from "./plan-spend";
import { planSpendPublic } from "./plan-spend-public";
import { keyBehind } from "./signature";

const key = `0x${"42".repeat(32)}` as const;

describe("a planned payment from a limited available balance", () => {
  it("opens every commitment of its witness, counts on its day, and derives salt and pad as the circuit does", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, async ({ request }) => {
        const { input, call } = await planSpend(request);
        const of = (name: string) => signal(input, name);
        const [limit, amount, mode, day, oldDay] = ["limit", "amount", "mode", "day", "oldDay"].map(of) as [
          bigint,
          bigint,
          bigint,
          bigint,
          bigint,
        ];
        expect(of("oldAvailable")).toBe(committedAvailable(limit, of("spent"), oldDay, of("oldSalt")));
        expect(of("note")).toBe(committedNote(amount, of("noteSalt")));
        expect(of("terms")).toBe(mode + 4n * day);
        const later = day > oldDay;
        const spent = mode === 2n ? of("spent") : later ? amount : of("spent") + amount;
        const [salt, pad] = poseidon3([5n, of("oldSalt"), of("note")], 2) as unknown as [bigint, bigint];
        expect(of("newAvailable")).toBe(
          committedAvailable(limit - amount, spent, mode !== 2n && later ? day : oldDay, salt),
        );
        expect(of("encrypted")).toBe((amount + pad) % FIELD_ORDER);
        if (mode !== 2n) {
          const packed = of("perPayment") + 2n ** 64n * of("daily") + 2n ** 128n * of("threshold");
          expect(of("policy")).toBe(poseidon3([3n, packed, of("policySalt")]));
        }
        const names = ["oldAvailable", "newAvailable", "note", "policy", "terms", "encrypted", "ctx"];
        expect(call.publicSignals).toEqual(names.map(of));
      }),
      runs,
    );
  });

  it("is a document that opens to its amount for payer and recipient, and to its available balance from the chain alone", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, bytes(32), async ({ request, viewing, secret }, binding) => {
        const plan = await planSpend({ ...request, binding, memo: "for the boat" });
        const document = await complete(plan, key);
        expect(SignedPaymentSchema.parse(document)).toEqual(document);
        expect(await keyBehind(plan.call.digest, document.signature)).toBe(lowerCase(privateKeyToAddress(key)));
        const place = { scope: request.scope, account: request.account, asset: request.asset };
        const ref = { ...place, commitment: BigInt(document.new_available) };
        const next = decryptAvailableState(secret, ref, fromHex(document.next_state.encrypted));
        const payment = {
          newAvailable: ref.commitment,
          terms: signal(plan.input, "terms"),
          note: BigInt(document.note),
          encryptedAmount: BigInt(document.encrypted_amount),
        };
        expect(followLimited(request.available, payment)).toEqual({ amount: request.amount, available: next });
        const copy = await decryptPayerCopy(viewing.secret, ref, fromHex(document.payer_ciphertext));
        const { seed, tag, amount } = request;
        expect(copy).toEqual({ amount, limit: next.limit, window: next.window, seed, tag });
        const noteRef = { ...place, account: request.to, commitment: payment.note };
        const received = await decryptRecipientCopy(viewing.secret, noteRef, fromHex(document.recipient_ciphertext));
        expect(received).toEqual({ ...(copy && noteOfCopy(copy, noteRef)), binding });
      }),
      runs,
    );
  });

  it("keeps its note at every attempt, over any available balance and terms", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, async ({ request }) => {
        const first = await planSpend(request);
        const available = { ...request.available, salt: request.available.salt ^ 1n };
        const again = await planSpend({ ...request, available, terms: { mode: 2, day: 0n } });
        expect(again.draft.note).toBe(first.draft.note);
        expect(again.draft.new_available).not.toBe(first.draft.new_available);
      }),
      runs,
    );
  });
});

describe("a planned public payment from a limited available balance", () => {
  it("opens every commitment of its witness, and to its available balance from the chain alone, under one id at every attempt", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, async ({ request, secret }) => {
        const plan = await planSpendPublic({ ...request, memo: "for the boat" });
        const of = (name: string) => signal(plan.input, name);
        const document = await complete(plan, key);
        expect(SignedPaymentSchema.parse(document)).toEqual(document);
        const ref = { scope: request.scope, account: request.account, asset: request.asset };
        const next = decryptAvailableState(
          secret,
          { ...ref, commitment: of("newAvailable") },
          fromHex(document.next_state.encrypted),
        );
        expect(next.salt).toBe(poseidon2([5n, of("oldSalt")]));
        const payment = { newAvailable: of("newAvailable"), terms: of("terms"), amount: BigInt(document.amount) };
        expect(followLimited(request.available, payment)).toEqual({ amount: request.amount, available: next });
        const names = ["oldAvailable", "newAvailable", "amount", "policy", "terms", "ctx"];
        expect(plan.call.publicSignals).toEqual(names.map(of));
        const available = { ...request.available, salt: request.available.salt ^ 1n };
        const again = await planSpendPublic({ ...request, available });
        expect(again.draft.payment_id).toBe(document.payment_id);
        const other = await planSpendPublic({ ...request, seed: request.seed.map((byte) => byte ^ 1) });
        expect(other.draft.payment_id).not.toBe(document.payment_id);
      }),
      runs,
    );
  });
});

describe("payments that compete for one limited available balance", () => {
  // If settlement compared the commitment only, it would confirm the payment that did not happen.
  it("differ in note or payment id, for two public ones can leave one commitment", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, bytes(32), async ({ request }, seed) => {
        fc.pre(seed.some((byte, at) => byte !== request.seed[at]));
        const to = `0x${"0b".repeat(20)}` as const;
        const other = { ...request, to, seed };
        const [a, b] = [(await planSpendPublic(request)).draft, (await planSpendPublic(other)).draft];
        expect(a.new_available).toBe(b.new_available);
        expect(a.payment_id).not.toBe(b.payment_id);
        const [c, d] = [(await planSpend(request)).draft, (await planSpend(other)).draft];
        expect([c.note === d.note, c.new_available === d.new_available]).toEqual([false, false]);
      }),
      runs,
    );
  });
});

describe("a payment that the ledger would refuse", () => {
  it("is not planned: without a policy, for another policy's word, beyond the available balance, or past the end of its day", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, async ({ request }) => {
        fc.pre(request.terms.mode === 0);
        const { available, terms } = request;
        for (const plan of [planSpend, planSpendPublic]) {
          const { policy: _none, ...without } = request;
          for (const bare of [request, without]) {
            const refused = plan({ ...bare, policyCommitment: 0n });
            await expect(refused).rejects.toMatchObject({ name: "RefusedByPolicy", reason: "no_policy" });
          }
          await expect(plan({ ...request, policyCommitment: request.policyCommitment ^ 1n })).rejects.toThrow(
            "not the policy",
          );
          await expect(plan(without)).rejects.toThrow("not the policy");
          const poor = { ...available, limit: request.amount - 1n };
          await expect(plan({ ...request, available: poor })).rejects.toBeInstanceOf(InsufficientAvailableBalance);
          await expect(plan({ ...request, amount: 0n })).rejects.toBeInstanceOf(InvalidUnits);
          const late = { ...request, deadline: dayWindow(terms.day).until };
          await expect(plan(late)).rejects.toThrow("outside the payment's day");
        }
      }),
      runs,
    );
  });

  it("names the rule", async () => {
    await fc.assert(
      fc.asyncProperty(limitedPayer, async ({ request }) => {
        fc.pre(request.terms.mode === 0);
        const reasons = { perPayment: "per_transaction_limit", daily: "daily_limit", threshold: "approval_threshold" };
        for (const [rule, reason] of Object.entries(reasons)) {
          const policy = { ...request.policy, [rule]: request.policy[rule as keyof typeof reasons] - 1n };
          const refused = planSpend({ ...request, policy, policyCommitment: policyCommitment(policy) });
          await expect(refused).rejects.toMatchObject({ name: "RefusedByPolicy", reason });
        }
      }),
      runs,
    );
  });
});
