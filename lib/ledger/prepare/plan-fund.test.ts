import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bytes, salt, units } from "@/test/ledger/arbitraries";
import { payer, runs } from "@/test/ledger/plans";
import { fromHex } from "../crypto/bytes";
import { InvalidUnits } from "../crypto/errors";
import { UNITS_BOUND } from "../crypto/field";
import { openBudgetState } from "../seal/budget-state";
import { openPayerCopy } from "../seal/copies";
import { planFund } from "./plan-fund";

describe("a planned fund", () => {
  // What one budget loses the other gains; an agent's counters travel along.
  it("moves the amount between two budgets, each with its own salt and state", async () => {
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
          expect(copies[0]?.seed).toEqual(copies[1]?.seed);
          expect(fromNext.salt).not.toBe(toNext.salt);
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
