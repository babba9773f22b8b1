import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes } from "@/test/ledger/arbitraries";
import { echo, payer, runs } from "@/test/ledger/plans";
import { fromHex } from "../crypto/bytes";
import { InsufficientBudget, InvalidUnits, ProofMismatch, UnusableViewingKey } from "../crypto/errors";
import { UNITS_BOUND, wordToHex } from "../crypto/field";
import { deriveFlagKey, deriveSpender, deriveViewingKey } from "../crypto/keys";
import { openBudgetState, openFlag } from "../seal/budget-state";
import { noteOfCopy, openPayerCopy, openRecipientCopy } from "../seal/copies";
import { PreparedPaymentSchema } from "./documents";
import { completePlan } from "./plan";
import { planTransfer } from "./plan-transfer";
import { preparedCall } from "./prepared-call";
import { keySigner, signerOf } from "./sign";
import { ctxOf } from "./structs";

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
        expect(copy && noteOfCopy(copy, at(request.to, draft.note))).toEqual(note);
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
