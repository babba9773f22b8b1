import fc from "fast-check";
import { privateKeyToAddress } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { salt } from "@/test/ledger/arbitraries";
import { echo, payer, runs } from "@/test/ledger/plans";
import { fromHex } from "../crypto/bytes";
import { EMPTY_BUDGET_OPENING, EMPTY_NOTE, noteCommitment } from "../crypto/commitments";
import { InsufficientFunds, LedgerError } from "../crypto/errors";
import { wordToHex } from "../crypto/field";
import { noteOfCopy, openPayerCopy } from "../seal/copies";
import { PreparedAllocationSchema } from "./documents";
import { completePlan } from "./plan";
import { planAllocation } from "./plan-allocation";
import { keySigner, signerOf } from "./sign";

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
          const ref = {
            scope: request.scope,
            account: request.account,
            asset: request.asset,
            commitment: BigInt(draft.new_budget),
          };
          const copy = await openPayerCopy(viewing.secret, ref, fromHex(draft.ciphertext));
          expect(copy?.limit).toBe(newLimit);
          expect(copy?.amount).toBe(total - newLimit);
          expect(input.change).toBe(total - newLimit);
          if (total > newLimit) {
            const change = copy && noteOfCopy(copy, { ...ref, commitment: BigInt(draft.change_note) });
            expect(change?.amount).toBe(total - newLimit);
          } else expect(draft.change_note).toBe(wordToHex(EMPTY_NOTE));
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
