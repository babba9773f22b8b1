import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, salt, units, copiedWindow as window } from "@/test/ledger/arbitraries";
import { committedAvailable, committedNote, complete, payer, runs, signal } from "@/test/ledger/plans";
import { fromHex } from "../crypto/bytes";
import { type AvailableOpening, availableCommitment, EMPTY_AVAILABLE_OPENING, EMPTY_NOTE } from "../crypto/commitments";
import { epochPaymentSeed } from "../crypto/epoch-seed";
import { InsufficientAvailableBalance, InsufficientFunds, InvalidUnits, LedgerError } from "../crypto/errors";
import { commitmentToHex, UNITS_BOUND } from "../crypto/field";
import { NO_WINDOW } from "../crypto/window";
import { decryptAvailableState } from "../encrypted/available-state";
import { decryptBatchCopy, noteOfBatch } from "../encrypted/batch-copy";
import { blindPartBytes, blindPartOf } from "../encrypted/blind-state";
import { availableOfCopy, decryptPayerCopy, noteOfCopy } from "../encrypted/payer-copy";
import { decryptRecipientCopy } from "../encrypted/recipient-copy";
import { SignedBatchSchema, SignedMakeAvailableSchema, SignedPaymentSchema } from "./documents";
import { planFund } from "./plan-fund";
import { planMakeAvailable } from "./plan-make-available";
import { planRelease } from "./plan-release";
import { planTransfer } from "./plan-transfer";
import { planTransferMany } from "./plan-transfer-many";

const NO_POLICY = { version: 0n, hash: new Uint8Array(32) };
const key = `0x${"42".repeat(32)}` as const;

describe("transfers and releases", () => {
  it("plan a payment of an account without a policy, by the same note or id at every attempt", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, viewing, secret }) => {
        const { available, amount } = request;
        const again = { ...request, available: { ...available, salt: available.salt ^ 1n } };
        const transfer = await planTransfer({ ...request, memo: "for the boat" });
        const release = await planRelease({ ...request, memo: "for the boat" });
        expect((await planTransfer(again)).draft.note).toBe(transfer.draft.note);
        expect((await planRelease(again)).draft.payment_id).toBe(release.draft.payment_id);
        for (const plan of [transfer, release]) {
          const of = (name: string) => signal(plan.input, name);
          const document = await complete<typeof plan.draft & { proof: `0x${string}`; signature: `0x${string}` }>(
            plan as never,
            key,
          );
          expect(SignedPaymentSchema.parse(document)).toEqual(document);
          const place = { scope: request.scope, account: request.account, asset: request.asset };
          const ref = { ...place, commitment: of("newAvailable") };
          const next = decryptAvailableState(secret, ref, fromHex(document.next_state.encrypted));
          expect(next).toEqual({ limit: available.limit - amount, salt: of("newSalt"), window: NO_WINDOW });
          const copy = await decryptPayerCopy(viewing.secret, ref, fromHex(document.payer_ciphertext));
          expect(copy && availableOfCopy(copy, ref, of("oldAvailable"))).toEqual(next);
        }
        expect(transfer.input.note).toBe(committedNote(amount, signal(transfer.input, "noteSalt")));
        expect(transfer.call.publicSignals.slice(0, 3)).toEqual(
          ["oldAvailable", "newAvailable", "note"].map((name) => signal(transfer.input, name)),
        );
        expect(release.call.publicSignals.slice(0, 3)).toEqual(
          ["oldAvailable", "newAvailable", "amount"].map((name) => signal(release.input, name)),
        );
      }),
      runs,
    );
  });

  it("are not planned over an available balance that counts, beyond it, or of nothing", async () => {
    await fc.assert(
      fc.asyncProperty(payer, window, async ({ request }, w) => {
        fc.pre(w.spent + w.day > 0n);
        for (const plan of [planTransfer, planRelease]) {
          const counted = { ...request, available: { ...request.available, window: w } };
          await expect(plan(counted)).rejects.toThrow("under a policy");
          const poor = { ...request, available: { ...request.available, limit: request.amount - 1n } };
          await expect(plan(poor)).rejects.toBeInstanceOf(InsufficientAvailableBalance);
          await expect(plan({ ...request, amount: 0n })).rejects.toBeInstanceOf(InvalidUnits);
        }
      }),
      runs,
    );
  });
});

describe("batches", () => {
  const amounts = fc.array(fc.bigInt(1n, 1n << 59n), { minLength: 2, maxLength: 16 });

  // This includes two equal payments to one recipient. With the same note, the ledger would refuse the whole batch.
  it("plan 2 to 16 payments, each a note of its own, and keep what the available balance has counted", async () => {
    await fc.assert(
      fc.asyncProperty(payer, amounts, window, async ({ request, viewing, secret }, list, w) => {
        const [first = 1n] = list;
        const all = [...list.slice(0, 15), first];
        const sum = all.reduce((total, amount) => total + amount, 0n);
        const available = { ...request.available, limit: sum + 7n, window: w };
        const { recipientViewingKey, to } = request;
        const payments = all.map((amount) => ({ to, amount, recipientViewingKey, memo: "pay" }));
        const plan = await planTransferMany({ ...request, available, payments });
        const document = await complete(plan, key);
        expect(SignedBatchSchema.parse(document)).toEqual(document);
        const of = (name: string) => signal(plan.input, name);
        const { notes, amounts: hidden, noteSalts } = plan.input as Record<string, bigint[]>;
        const commitments = hidden?.map((amount, index) => committedNote(amount, noteSalts?.[index] ?? 0n));
        expect(notes).toEqual(commitments);
        expect(notes?.slice(all.length)).toEqual(Array.from({ length: 16 - all.length }, () => EMPTY_NOTE));
        expect(new Set(document.payments.map(({ note }) => note)).size).toBe(all.length);
        expect(of("oldAvailable")).toBe(committedAvailable(of("limit"), of("spent"), of("day"), of("oldSalt")));
        expect(of("newAvailable")).toBe(committedAvailable(7n, of("spent"), of("day"), of("newSalt")));
        expect(plan.call.publicSignals).toEqual([of("oldAvailable"), of("newAvailable"), ...(notes ?? []), of("ctx")]);
        const place = { scope: request.scope, account: request.account, asset: request.asset };
        const ref = { ...place, commitment: of("newAvailable") };
        expect(decryptAvailableState(secret, ref, fromHex(document.next_state.encrypted)).window).toEqual(w);
        const copy = await decryptBatchCopy(viewing.secret, ref, fromHex(document.payer_ciphertext));
        expect(copy && availableOfCopy(copy, ref, of("oldAvailable"))?.limit).toBe(7n);
        for (const [index, { note, recipient_ciphertext }] of document.payments.entries()) {
          const noteRef = { ...place, account: to, commitment: BigInt(note) };
          const received = await decryptRecipientCopy(viewing.secret, noteRef, fromHex(recipient_ciphertext));
          expect(received?.amount).toBe(all[index]);
          expect(copy && noteOfBatch(copy, noteRef, index)?.amount).toBe(all[index]);
        }
      }),
      { numRuns: 3 },
    );
  });

  it("with a home key have the note of each request at every place, alone too, and a state that its clients read", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, viewing, secret }) => {
        const { recipientViewingKey, to, scope, account, asset } = request;
        const epoch = { seed: new Uint8Array(32).fill(7), opened: 0 };
        const part = { epochs: { current: { day: 20_000n, seed: epoch.seed } }, policy: NO_POLICY, tags: [] };
        const available = { ...request.available, limit: 99n, window: NO_WINDOW };
        const tags = [1, 2, 3].map((byte) => new Uint8Array(16).fill(byte));
        const common = { ...request, available, epoch, blind: blindPartBytes(part) };
        const payments = tags.map((tag) => ({ to, amount: 5n, recipientViewingKey, tag }));
        const plan = await planTransferMany({ ...common, payments });
        const notes = plan.draft.payments.map(({ note }) => note);
        const turned = await planTransferMany({ ...common, payments: payments.toReversed() });
        expect(turned.draft.payments.map(({ note }) => note).toReversed()).toEqual(notes);
        const alone = payments.map(async ({ tag, amount }) => {
          const one = { ...common, amount, tag, seed: epochPaymentSeed(epoch, scope, tag) };
          return (await planTransfer(one)).draft.note;
        });
        expect(await Promise.all(alone)).toEqual(notes);
        const ref = { scope, account, asset, commitment: signal(plan.input, "newAvailable") };
        const next = decryptAvailableState(secret, ref, fromHex(plan.draft.next_state.encrypted));
        expect(next.blind && blindPartOf(next.blind)).toEqual(part);
        const copy = await decryptBatchCopy(viewing.secret, ref, fromHex(plan.draft.payer_ciphertext));
        expect(copy?.epoch?.seed).toEqual(epoch.seed);
        expect(copy && availableOfCopy(copy, ref, signal(plan.input, "oldAvailable"))?.limit).toBe(84n);
      }),
      { numRuns: 2 },
    );
  });

  it("are not planned of one payment or seventeen, beyond the available balance, or with a payment of nothing", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request }) => {
        const pay = (amounts: bigint[], limit: bigint) => {
          const payments = amounts.map((amount) => ({ ...request, amount }));
          return planTransferMany({ ...request, available: { ...request.available, limit }, payments });
        };
        await expect(pay([1n], 99n)).rejects.toBeInstanceOf(LedgerError);
        await expect(pay(Array(17).fill(1n), 99n)).rejects.toBeInstanceOf(LedgerError);
        await expect(pay([5n, 5n], 9n)).rejects.toBeInstanceOf(InsufficientAvailableBalance);
        await expect(pay([5n, 0n], 9n)).rejects.toBeInstanceOf(InvalidUnits);
      }),
      { numRuns: 2 },
    );
  });
});

describe("a planned fund", () => {
  it("moves the amount between two available balances that both keep what they have counted", async () => {
    await fc.assert(
      fc.asyncProperty(
        payer,
        fc.record({ toSecret: bytes(32), toLimit: units, toSalt: salt, from: window, toWindow: window }),
        async ({ request, viewing, secret }, { toSecret, toLimit, toSalt, from, toWindow }) => {
          fc.pre(toLimit + request.amount < UNITS_BOUND);
          const available = { ...request.available, window: from };
          const toAvailable: AvailableOpening = { limit: toLimit, salt: toSalt, window: toWindow, counters: bytes9 };
          const plan = await planFund({ ...request, available, toAvailable, toSecret, memo: "lunch" });
          const document = await complete(plan, key);
          expect(SignedPaymentSchema.parse(document)).toEqual(document);
          const of = (name: string) => signal(plan.input, name);
          const side = (name: "from" | "to", change: bigint) =>
            committedAvailable(
              of(`${name}Limit`) + change,
              of(`${name}Spent`),
              of(`${name}Day`),
              of(`${name}${change === 0n ? "Old" : "New"}Salt`),
            );
          expect([of("fromOld"), of("toOld")]).toEqual([side("from", 0n), side("to", 0n)]);
          expect([of("fromNew"), of("toNew")]).toEqual([side("from", -request.amount), side("to", request.amount)]);
          expect(plan.call.publicSignals.slice(0, 4)).toEqual(["fromOld", "fromNew", "toOld", "toNew"].map(of));
          const place = { scope: request.scope, asset: request.asset };
          const fromRef = { ...place, account: request.account, commitment: of("fromNew") };
          const toRef = { ...place, account: request.to, commitment: of("toNew") };
          expect(decryptAvailableState(secret, fromRef, fromHex(document.next_state.encrypted)).window).toEqual(from);
          const toNext = decryptAvailableState(toSecret, toRef, fromHex(document.to_next_state.encrypted));
          expect([toNext.window, toNext.counters]).toEqual([toWindow, bytes9]);
          const copy = await decryptPayerCopy(viewing.secret, toRef, fromHex(document.to_ciphertext));
          expect(copy && availableOfCopy(copy, toRef, of("toOld"))?.window).toEqual(toWindow);
        },
      ),
      runs,
    );
  });

  const bytes9 = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9);

  it("is refused when the receiving available balance would reach 2^64", async () => {
    await fc.assert(
      fc.asyncProperty(payer, salt, async ({ request }, toSalt) => {
        const toAvailable = { limit: UNITS_BOUND - request.amount, salt: toSalt, window: NO_WINDOW };
        await expect(planFund({ ...request, toAvailable, toSecret: request.secret })).rejects.toBeInstanceOf(
          InvalidUnits,
        );
      }),
      { numRuns: 3 },
    );
  });
});

describe("a planned move to the available balance", () => {
  const some = fc.array(fc.record({ amount: fc.bigInt(1n, 1n << 59n), salt }), { maxLength: 8 });

  it("conserves money and keeps what was counted, unless the wallet chooses another window", async () => {
    await fc.assert(
      fc.asyncProperty(payer, some, window, fc.boolean(), async ({ request, viewing }, notes, w, leaves) => {
        const available = { limit: 1000n, salt: request.available.salt, window: w };
        const total = notes.reduce((sum, note) => sum + note.amount, 1005n);
        const newLimit = total / 2n;
        const chosen = leaves ? { window: NO_WINDOW } : {};
        const asked = { ...request, available, notes, deposited: 5n, newLimit, nonce: 7n, ...chosen };
        const plan = await planMakeAvailable(asked);
        const document = await complete(plan, key);
        expect(SignedMakeAvailableSchema.parse(document)).toEqual(document);
        const of = (name: string) => signal(plan.input, name);
        const next = leaves ? NO_WINDOW : w;
        expect(of("oldAvailable")).toBe(committedAvailable(1000n, w.spent, w.day, of("oldSalt")));
        expect(of("newAvailable")).toBe(committedAvailable(newLimit, next.spent, next.day, of("newSalt")));
        expect([of("oldSpent"), of("oldDay"), of("newSpent"), of("newDay")]).toEqual([
          w.spent,
          w.day,
          next.spent,
          next.day,
        ]);
        expect(of("change") + newLimit).toBe(total);
        expect(of("changeNote")).toBe(committedNote(of("change"), of("changeSalt")));
        const place = { scope: request.scope, account: request.account, asset: request.asset };
        const copy = await decryptPayerCopy(
          viewing.secret,
          { ...place, commitment: of("newAvailable") },
          fromHex(document.ciphertext),
        );
        expect(copy && noteOfCopy(copy, { ...place, commitment: of("changeNote") })?.amount).toBe(total - newLimit);
      }),
      runs,
    );
  });

  it("leaves no note when all is made available, and is refused for more than there is or nine notes", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request }) => {
        const all = { ...request, available: EMPTY_AVAILABLE_OPENING, notes: [], deposited: 9n, nonce: 0n };
        const { draft, input } = await planMakeAvailable({ ...all, newLimit: 9n });
        expect([draft.change_note, input.changeSalt]).toEqual([commitmentToHex(EMPTY_NOTE), 0n]);
        expect(draft.old_available).toBe(commitmentToHex(availableCommitment(EMPTY_AVAILABLE_OPENING)));
        await expect(planMakeAvailable({ ...all, newLimit: 10n })).rejects.toBeInstanceOf(InsufficientFunds);
        const nine = Array.from({ length: 9 }, () => ({ amount: 1n, salt: 1n }));
        await expect(planMakeAvailable({ ...all, notes: nine, newLimit: 1n })).rejects.toBeInstanceOf(LedgerError);
      }),
      { numRuns: 3 },
    );
  });
});
