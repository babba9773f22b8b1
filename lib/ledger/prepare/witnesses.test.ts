import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readProgram } from "@/circuits/witness/read-program";
import { runProgram } from "@/circuits/witness/run-program";
import { UnsatisfiedCircuit } from "@/circuits/witness/unsatisfied-circuit";
import { salt, units, copiedWindow as window } from "@/test/ledger/arbitraries";
import { limitedPayer, payer, runs } from "@/test/ledger/plans";
import { EMPTY_AVAILABLE_OPENING } from "../crypto/commitments";
import { NO_WINDOW } from "../crypto/window";
import type { SignedDocument } from "./documents";
import type { Plan } from "./plan";
import { planFund } from "./plan-fund";
import { planMakeAvailable } from "./plan-make-available";
import { planRelease } from "./plan-release";
import { planSpend } from "./plan-spend";
import { planSpendPublic } from "./plan-spend-public";
import { planTransfer } from "./plan-transfer";
import { planTransferMany } from "./plan-transfer-many";
import type { CircuitInput, CircuitName } from "./witness";

/** The committed witness programs by circuit. A witness program accepts exactly what can be proved. */
const programs = new Map<CircuitName, ReturnType<typeof readProgram>>();
function witness(circuit: CircuitName, input: CircuitInput): bigint[] {
  const program = programs.get(circuit) ?? readProgram(readFileSync(`circuits/artifacts/${circuit}.witness`));
  programs.set(circuit, program);
  return runProgram(program, input);
}

/** Checks that the circuit accepts the plan for the public signals that the ledger computes, and for no others. */
function expectProvable(plan: Plan<SignedDocument>, free: readonly string[] = []): void {
  const { circuit, publicSignals } = plan.call;
  expect(witness(circuit, plan.input).slice(1, publicSignals.length + 1)).toEqual(publicSignals);
  for (const [name, value] of Object.entries(plan.input)) {
    for (const index of [value].flat().keys()) {
      const signal = [value].flat()[index] ?? 0n;
      // ctx is bound to the proof, but the circuit puts no constraint on its value.
      if (name === "ctx" || free.includes(name) || !publicSignals.includes(signal)) continue;
      const changed = Array.isArray(value) ? value.with(index, signal + 1n) : signal + 1n;
      expect(() => witness(circuit, { ...plan.input, [name]: changed }), `${name}[${index}]`).toThrow(
        UnsatisfiedCircuit,
      );
    }
  }
}

const provable = <T>(arbitrary: fc.Arbitrary<T>, check: (value: T) => Promise<void>) =>
  fc.assert(fc.asyncProperty(arbitrary, check), runs);

describe("the committed circuit accepts, for the ledger's public signals alone,", () => {
  it("a transfer and a release", () =>
    provable(payer, async ({ request }) => {
      expectProvable(await planTransfer(request));
      expectProvable(await planRelease(request));
    }));

  // If the policy isn't opened, only ctx binds its commitment.
  it.each([
    ["mode 0", 0, []],
    ["mode 1", 1, []],
    ["mode 2", 2, ["policy", "perPayment", "daily", "threshold", "policySalt"]],
  ] as const)("a spend and a public spend in %s", (_, mode, free) =>
    provable(
      limitedPayer.filter(({ request }) => request.terms.mode === mode),
      async ({ request }) => {
        expectProvable(await planSpend(request), free);
        expectProvable(await planSpendPublic(request), free);
      },
    ),
  );

  it("a spend that begins a day, and one on a day that has begun", () =>
    provable(
      limitedPayer.filter(({ request }) => request.terms.mode === 0),
      async ({ request }) => {
        const { available, amount, terms } = request;
        const full = { ...available, limit: amount };
        for (const day of [terms.day - 1n, terms.day]) {
          const spent = day === terms.day ? 0n : available.window.spent;
          expectProvable(await planSpend({ ...request, available: { ...full, window: { spent, day } } }));
        }
      },
    ));

  it("batches of 2, 3 and 16 payments, from an available balance with and without a window", () =>
    provable(fc.record({ one: payer, w: window }), async ({ one: { request }, w }) => {
      const { to, recipientViewingKey } = request;
      for (const [count, counted] of [
        [2, NO_WINDOW],
        [3, w],
        [16, w],
      ] as const) {
        const payments = Array.from({ length: count }, (_, index) => ({
          to,
          amount: 1n + BigInt(index % 2),
          recipientViewingKey,
        }));
        const available = { ...request.available, limit: 24n, window: counted };
        expectProvable(await planTransferMany({ ...request, available, payments }));
      }
    }));

  it("a fund either way, between available balances that count and an empty one", () =>
    provable(fc.record({ one: payer, w: window, left: units, toSalt: salt }), async ({ one, w, left, toSalt }) => {
      const { request } = one;
      const limit = left % (2n ** 64n - request.amount);
      const limited = { limit, salt: toSalt, window: w };
      const to = { toAvailable: limited, toSecret: request.secret };
      expectProvable(await planFund({ ...request, ...to }));
      expectProvable(await planFund({ ...request, ...to, toAvailable: EMPTY_AVAILABLE_OPENING }));
      const back = { ...request, available: { ...request.available, window: w } };
      expectProvable(await planFund({ ...back, ...to, toAvailable: { ...limited, window: NO_WINDOW } }));
    }));

  it("a move to the available balance of notes and deposited money, into an available balance with, without and of another window", () =>
    provable(
      fc.record({
        one: payer,
        w: window,
        amounts: fc.array(fc.bigInt(1n, 1n << 59n), { maxLength: 8 }),
        noteSalt: salt,
      }),
      async ({ one: { request }, w, amounts, noteSalt }) => {
        const notes = amounts.map((amount) => ({ amount, salt: noteSalt }));
        const available = { ...request.available, limit: 5n };
        const total = amounts.reduce((sum, amount) => sum + amount, 15n);
        const sources = { ...request, available, notes, deposited: 10n, nonce: 3n };
        expectProvable(await planMakeAvailable({ ...sources, newLimit: total }));
        expectProvable(await planMakeAvailable({ ...sources, newLimit: total - 1n, window: w }));
        const counted = { ...sources, available: { ...available, window: w }, newLimit: 0n };
        expectProvable(await planMakeAvailable(counted));
        expectProvable(await planMakeAvailable({ ...counted, window: NO_WINDOW }));
      },
    ));
});
