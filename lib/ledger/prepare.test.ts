import fc from "fast-check";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { address, bytes, positiveUnits, salt, scope, units } from "./arbitraries.fixture";
import { openBudgetState, openFlag } from "./budget-state";
import { fromHex } from "./bytes";
import { EMPTY_BUDGET_OPENING, EMPTY_NOTE, noteCommitment } from "./commitments";
import { copyMatchesNote, openPayerCopy, openRecipientCopy } from "./copies";
import { PreparedAllocationSchema, PreparedPaymentSchema } from "./documents";
import {
  InsufficientBudget,
  InsufficientFunds,
  InvalidUnits,
  LedgerError,
  ProofMismatch,
  UnusableViewingKey,
} from "./errors";
import { FIELD_ORDER, UNITS_BOUND, wordToHex } from "./field";
import { deriveBudgetSecret, deriveFlagKey, deriveSpender, deriveViewingKey } from "./keys";
import { completePlan } from "./plan";
import { planAllocation } from "./prepare-allocation";
import { planFund } from "./prepare-fund";
import { planRelease } from "./prepare-release";
import { planTransfer } from "./prepare-transfer";
import { preparedCall } from "./prepared-struct";
import { keySigner, signerOf } from "./sign";
import { ctxOf } from "./structs";
import type { Prove } from "./witness";

const runs = { numRuns: 15 };
const DEADLINE = 2_000_000_000n;

/** Whose money it is in these tests: keys of a root, a budget, and a payment it covers. */
const payer = fc
  .record({ scope, root: bytes(32), account: address, to: address, asset: address, limit: positiveUnits, salt })
  .chain((p) => fc.record({ p: fc.constant(p), amount: fc.bigInt(1n, p.limit) }))
  .map(({ p, amount }) => {
    const secret = deriveBudgetSecret(p.root, p.scope, 1);
    const viewing = deriveViewingKey(p.root, p.scope);
    const request = {
      scope: p.scope,
      account: p.account,
      to: p.to,
      asset: p.asset,
      budget: { limit: p.limit, salt: p.salt },
      amount,
      deadline: DEADLINE,
      payerViewingKey: viewing.publicKey,
      secret,
    };
    return { request, secret, viewing };
  });

/** Stands where the prover does: the public signals the plan wants, and no proof. The proofs are the prover's tests. */
const echo =
  (signals: readonly bigint[]): Prove =>
  async () => ({ proof: `0x${"00".repeat(256)}`, publicSignals: [...signals] });

describe("a planned transfer", () => {
  // Conservation: the amount leaves the budget and stands in the note, and each side opens exactly its part.
  it("moves the amount from the budget into a note that only payer and recipient open", async () => {
    await fc.assert(
      fc.asyncProperty(payer, bytes(32), async ({ request, secret, viewing }, recipientRoot) => {
        const recipient = deriveViewingKey(recipientRoot, request.scope);
        const plan = await planTransfer({ ...request, recipientViewingKey: recipient.publicKey, memo: "hello" });
        const { draft } = plan;
        const at = (account: typeof request.account, word: string) => ({
          scope: request.scope,
          account,
          asset: request.asset,
          commitment: BigInt(word),
        });
        const left = request.budget.limit - request.amount;
        const note = await openRecipientCopy(
          recipient.secret,
          at(request.to, draft.note),
          fromHex(draft.recipient_ciphertext),
        );
        expect(note?.amount).toBe(request.amount);
        const own = at(request.account, draft.new_budget);
        const copy = await openPayerCopy(viewing.secret, own, fromHex(draft.payer_ciphertext));
        expect(copy?.limit).toBe(left);
        expect(copy && copyMatchesNote(copy, BigInt(draft.note))).toBe(true);
        expect(openBudgetState(secret, own, fromHex(draft.next_state.sealed)).limit).toBe(left);
        expect(openFlag(deriveFlagKey(secret, request.scope), own, fromHex(draft.next_state.flag))).toBe(left > 0n);
        expect(plan.call.publicSignals).toEqual(
          [draft.old_budget, draft.new_budget, draft.note].map(BigInt).concat(ctxOf(plan.call.digest)),
        );
      }),
      runs,
    );
  });

  it("becomes a document of the schema, signed by the spender, that says the same call again", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, secret, viewing }) => {
        const plan = await planTransfer({ ...request, recipientViewingKey: viewing.publicKey });
        const spender = deriveSpender(secret, request.scope);
        const document = await completePlan(plan, echo(plan.call.publicSignals), keySigner(spender.privateKey));
        const read = PreparedPaymentSchema.parse(JSON.parse(JSON.stringify(document)));
        expect(read).toEqual(document);
        expect(preparedCall(request.scope, read)).toEqual(plan.call);
        expect(await signerOf(plan.call.digest, document.signature)).toBe(spender.address);
        expect(JSON.stringify(document)).not.toContain(`"${request.amount}"`);
        for (const extra of [
          { amount: "1" },
          { note: undefined },
          { deadline: "01" },
          { note: wordToHex(1n).toUpperCase() },
        ]) {
          expect(PreparedPaymentSchema.safeParse({ ...document, ...extra }).success).toBe(false);
        }
      }),
      runs,
    );
  });

  // One seed twice would be one note twice: the ledger would refuse the second payment.
  it("is new each time: a retry shares no word and no ciphertext", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, viewing }) => {
        const plans = await Promise.all(
          [1, 2].map(() => planTransfer({ ...request, recipientViewingKey: viewing.publicKey })),
        );
        for (const field of ["note", "new_budget", "recipient_ciphertext", "payer_ciphertext"] as const) {
          expect(new Set(plans.map((plan) => plan.draft[field])).size).toBe(2);
        }
        expect(plans.some((plan) => plan.input.newSalt === 0n || plan.input.noteSalt === 0n)).toBe(false);
      }),
      runs,
    );
  });

  it("binds every field: any change of the document changes ctx", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, viewing }) => {
        const { draft, call } = await planTransfer({ ...request, recipientViewingKey: viewing.publicKey });
        const flip = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}` as `0x${string}`;
        for (const field of [
          "account",
          "to",
          "asset",
          "old_budget",
          "new_budget",
          "note",
          "recipient_ciphertext",
          "payer_ciphertext",
        ] as const) {
          expect(preparedCall(request.scope, { ...draft, [field]: flip(draft[field]) }).digest).not.toBe(call.digest);
        }
        expect(preparedCall(request.scope, { ...draft, deadline: "1" }).digest).not.toBe(call.digest);
        for (const other of [
          { chainId: 1 },
          { ledger: flip(request.scope.ledger) },
          { domainSalt: flip(request.scope.domainSalt) },
        ]) {
          expect(preparedCall({ ...request.scope, ...other }, draft).digest).not.toBe(call.digest);
        }
      }),
      runs,
    );
  });

  it("is refused without naming amounts: beyond the budget, zero, oversized, to an unusable key", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, viewing }) => {
        const recipientViewingKey = viewing.publicKey;
        fc.pre(request.budget.limit < UNITS_BOUND - 1n && request.budget.limit > 1000n);
        const short = await planTransfer({ ...request, recipientViewingKey, amount: request.budget.limit + 1n }).catch(
          (e) => e,
        );
        expect(short).toBeInstanceOf(InsufficientBudget);
        expect(JSON.stringify([short.message, short])).not.toContain(String(request.budget.limit));
        for (const amount of [0n, -1n, UNITS_BOUND]) {
          await expect(planTransfer({ ...request, recipientViewingKey, amount })).rejects.toBeInstanceOf(InvalidUnits);
        }
        await expect(planTransfer({ ...request, recipientViewingKey: new Uint8Array(32) })).rejects.toBeInstanceOf(
          UnusableViewingKey,
        );
      }),
      runs,
    );
  });

  it("is not finished with a proof for other public signals", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, viewing, secret }) => {
        const plan = await planTransfer({ ...request, recipientViewingKey: viewing.publicKey });
        const sign = keySigner(deriveSpender(secret, request.scope).privateKey);
        const wrong = plan.call.publicSignals.with(2, 1n);
        await expect(completePlan(plan, echo(wrong), sign)).rejects.toBeInstanceOf(ProofMismatch);
      }),
      runs,
    );
  });
});

describe("a planned release", () => {
  it("takes the public amount from the budget, and its document passes the schema", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, secret, viewing }) => {
        const plan = await planRelease({ ...request, memo: "rent", recipientViewingKey: viewing.publicKey });
        const place = {
          scope: request.scope,
          account: request.account,
          asset: request.asset,
          commitment: BigInt(plan.draft.new_budget),
        };
        const copy = await openPayerCopy(viewing.secret, place, fromHex(plan.draft.payer_ciphertext));
        expect(copy).toMatchObject({ amount: request.amount, limit: request.budget.limit - request.amount });
        expect(plan.call.publicSignals[2]).toBe(request.amount);
        const document = await completePlan(
          plan,
          echo(plan.call.publicSignals),
          keySigner(deriveSpender(secret, request.scope).privateKey),
        );
        expect(PreparedPaymentSchema.parse(document)).toEqual(document);
      }),
      runs,
    );
  });
});

describe("a planned fund", () => {
  // What one budget loses the other gains; an agent's counters travel along.
  it("moves the amount between two budgets, each with its own seed and state", async () => {
    await fc.assert(
      fc.asyncProperty(
        payer,
        bytes(32),
        units,
        salt,
        bytes(9),
        async ({ request, viewing, secret }, toSecret, toLimit, toSalt, counters) => {
          fc.pre(toLimit + request.amount < UNITS_BOUND);
          const toBudget = { limit: toLimit, salt: toSalt, counters };
          const { draft, call } = await planFund({ ...request, toBudget, toSecret });
          const from = {
            scope: request.scope,
            account: request.account,
            asset: request.asset,
            commitment: BigInt(draft.new_budget),
          };
          const to = { ...from, account: request.to, commitment: BigInt(draft.to_new_budget) };
          const fromNext = openBudgetState(secret, from, fromHex(draft.next_state.sealed));
          const toNext = openBudgetState(toSecret, to, fromHex(draft.to_next_state.sealed));
          expect(fromNext.limit + toNext.limit).toBe(request.budget.limit + toLimit);
          expect(toNext.counters).toEqual(counters);
          const copies = [
            await openPayerCopy(viewing.secret, from, fromHex(draft.payer_ciphertext)),
            await openPayerCopy(viewing.secret, to, fromHex(draft.to_ciphertext)),
          ];
          expect(copies.map((copy) => copy?.amount)).toEqual([request.amount, request.amount]);
          expect(copies[0]?.seed).not.toEqual(copies[1]?.seed);
          expect(call.publicSignals.slice(0, 4)).toEqual(
            [draft.old_budget, draft.new_budget, draft.to_old_budget, draft.to_new_budget].map(BigInt),
          );
        },
      ),
      runs,
    );
  });

  it("is refused when the receiving budget would reach 2^64", async () => {
    await fc.assert(
      fc.asyncProperty(payer, salt, async ({ request }, toSalt) => {
        const toBudget = { limit: UNITS_BOUND - request.amount, salt: toSalt };
        await expect(planFund({ ...request, toBudget, toSecret: request.secret })).rejects.toBeInstanceOf(InvalidUnits);
      }),
      runs,
    );
  });
});

describe("a planned allocation", () => {
  const wallet = `0x${"42".repeat(32)}` as const;
  const some = fc.array(fc.record({ amount: fc.bigInt(1n, 1n << 59n), salt }), { maxLength: 8 });

  // Nothing is made or lost: notes + credit + old budget = new budget + change.
  it("conserves money, signed by the wallet, and gives the change back as a note the owner opens", async () => {
    await fc.assert(
      fc.asyncProperty(
        payer,
        some,
        fc.bigInt(0n, 1n << 60n),
        fc.bigInt(0n, 1n << 60n),
        async ({ request, viewing }, notes, credit, oldLimit) => {
          const total = notes.reduce((sum, note) => sum + note.amount, credit + oldLimit);
          const newLimit = total / 2n;
          const budget = oldLimit === 0n ? EMPTY_BUDGET_OPENING : { limit: oldLimit, salt: request.budget.salt };
          const plan = await planAllocation({ ...request, budget, notes, credit, newLimit, nonce: 7n });
          const { draft, input } = plan;
          const document = await completePlan(plan, echo(plan.call.publicSignals), keySigner(wallet));
          expect(PreparedAllocationSchema.parse(document)).toEqual(document);
          expect(await signerOf(plan.call.digest, document.signature)).toBe(privateKeyToAddress(wallet));
          expect(draft.notes).toEqual([
            ...notes.map((note) => wordToHex(noteCommitment(note))),
            ...Array.from({ length: 8 - notes.length }, () => wordToHex(EMPTY_NOTE)),
          ]);
          const place = {
            scope: request.scope,
            account: request.account,
            asset: request.asset,
            commitment: BigInt(draft.new_budget),
          };
          const copy = await openPayerCopy(viewing.secret, place, fromHex(draft.ciphertext));
          expect(copy?.limit).toBe(newLimit);
          expect(copy?.amount).toBe(total - newLimit);
          expect(input.change).toBe(total - newLimit);
          if (total > newLimit) expect(copy && copyMatchesNote(copy, BigInt(draft.change_note))).toBe(true);
          else expect(draft.change_note).toBe(wordToHex(EMPTY_NOTE));
        },
      ),
      runs,
    );
  });

  it("leaves no note when all is allocated, and is refused for more than there is or nine notes", async () => {
    await fc.assert(
      fc.asyncProperty(payer, some, fc.bigInt(1n, 1n << 60n), async ({ request }, notes, credit) => {
        const total = notes.reduce((sum, note) => sum + note.amount, credit);
        const all = { ...request, budget: EMPTY_BUDGET_OPENING, notes, credit, nonce: 0n };
        const { draft, input } = await planAllocation({ ...all, newLimit: total });
        expect([draft.change_note, input.changeSalt]).toEqual([wordToHex(EMPTY_NOTE), 0n]);
        await expect(planAllocation({ ...all, newLimit: total + 1n })).rejects.toBeInstanceOf(InsufficientFunds);
        const nine = Array.from({ length: 9 }, () => ({ amount: 1n, salt: 1n }));
        await expect(planAllocation({ ...all, notes: nine, newLimit: 1n })).rejects.toBeInstanceOf(LedgerError);
      }),
      runs,
    );
  });
});

it("ctx is the digest modulo the field order", () => {
  fc.assert(
    fc.property(bytes(32), (digest) => {
      const hex = `0x${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}` as const;
      expect(ctxOf(hex)).toBe(BigInt(hex) % FIELD_ORDER);
    }),
  );
});
