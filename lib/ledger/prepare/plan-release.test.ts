import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echo, payer, runs } from "@/test/ledger/plans";
import { fromHex } from "../crypto/bytes";
import { deriveSpender } from "../crypto/keys";
import { openPayerCopy } from "../seal/copies";
import { PreparedPaymentSchema } from "./documents";
import { completePlan } from "./plan";
import { planRelease } from "./plan-release";
import { keySigner } from "./sign";

describe("a planned release", () => {
  it("takes the public amount from the budget, and its document passes the schema", async () => {
    await fc.assert(
      fc.asyncProperty(payer, async ({ request, secret, viewing }) => {
        const plan = await planRelease({ ...request, memo: "rent", recipientViewingKey: viewing.publicKey });
        const ref = {
          scope: request.scope,
          account: request.account,
          asset: request.asset,
          commitment: BigInt(plan.draft.new_budget),
        };
        const copy = await openPayerCopy(viewing.secret, ref, fromHex(plan.draft.payer_ciphertext));
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
