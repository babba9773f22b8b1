import fc from "fast-check";
import { poseidon3 } from "poseidon-lite";
import { deriveKnowledge, deriveViewingKey } from "@/lib/ledger/crypto/keys";
import { policyCommitment } from "@/lib/ledger/crypto/policy-commitment";
import { SPEND_MODE, type SpendMode } from "@/lib/ledger/crypto/terms";
import { NO_WINDOW } from "@/lib/ledger/crypto/window";
import { dayWindow } from "@/lib/ledger/policy/day-window";
import type { SignedDocument } from "@/lib/ledger/prepare/documents";
import { keySigner } from "@/lib/ledger/prepare/key-signer";
import { completePlan, type Plan } from "@/lib/ledger/prepare/plan";
import type { CircuitInput } from "@/lib/ledger/prepare/witness";
import { address, bytes, positiveUnits, salt, scope } from "./arbitraries";

/** Few runs suffice, because each encrypts several texts. */
export const runs = { numRuns: 4 };
const UNITS = 1n << 64n;

/**
 * The payer in tests of plans: keys of an account key, an available balance without a window, and a payment it covers.
 */
export const payer = fc
  .record({
    p: fc.record({
      scope,
      accountKey: bytes(32),
      account: address,
      to: address,
      asset: address,
      salt,
      seed: bytes(32),
    }),
    limit: positiveUnits,
    tag: bytes(16),
    policyVersion: fc.bigInt(0n, UNITS - 1n),
  })
  .chain((one) => fc.record({ one: fc.constant(one), amount: fc.bigInt(1n, one.limit) }))
  .map(({ one: { p, limit, tag, policyVersion }, amount }) => {
    const secret = deriveKnowledge(p.accountKey, p.scope, 1);
    const viewing = deriveViewingKey(p.accountKey, p.scope);
    const { scope: sc, account, to, asset, seed } = p;
    const keys = { payerViewingKey: viewing.publicKey, recipientViewingKey: viewing.publicKey, secret };
    const available = { limit, salt: p.salt, window: NO_WINDOW };
    const who = { scope: sc, account, to, asset };
    const request = { ...who, ...keys, available, amount, seed, tag, policyVersion, deadline: 2_000_000_000n };
    return { request, secret, viewing };
  });

/** The same payment from an available balance with a policy that just allows it. */
export const limitedPayer = fc
  .record({
    base: payer,
    mode: fc.constantFrom<SpendMode>(0, 1, 2),
    oldDay: fc.bigInt(0n, 40_000n),
    day: fc.bigInt(1n, 40_000n),
    spent: fc.bigInt(0n, UNITS - 1n),
    policySalt: salt,
  })
  .map(({ base, mode, oldDay, day: named, spent: before, policySalt }) => {
    const { amount } = base.request;
    const spent = before % (UNITS - amount);
    const day = mode === SPEND_MODE.wallet ? 0n : named;
    const daily = day > oldDay ? amount : spent + amount;
    const policy = { perPayment: amount, daily, threshold: amount, salt: policySalt };
    const available = { ...base.request.available, window: { spent, day: oldDay } };
    const terms = { mode, day };
    const deadline = mode === SPEND_MODE.wallet ? 2_000_000_000n : dayWindow(day).until - 1n;
    const request = { ...base.request, available, deadline, terms, policy, policyCommitment: policyCommitment(policy) };
    return { ...base, request };
  });

/** Returns the commitments of an opening, by the protocol's formula. */
export const committedAvailable = (limit: bigint, spent: bigint, day: bigint, s: bigint) =>
  poseidon3([2n, limit + UNITS * (spent + UNITS * day), s]);
export const committedNote = (amount: bigint, s: bigint) => poseidon3([1n, amount, s]);

/** Returns one signal of a witness input. */
export function signal(input: CircuitInput, name: string): bigint {
  const value = input[name];
  if (typeof value !== "bigint") throw new Error(`no signal ${name}`);
  return value;
}

/** Signs a plan as if proven. The prover's own tests create proofs; this sets the plan's expected signals. */
export function complete<D extends SignedDocument>(plan: Plan<D>, key: `0x${string}`): Promise<D> {
  const prove = async () => ({ proof: `0x${"00".repeat(256)}` as const, publicSignals: plan.call.publicSignals });
  return completePlan(plan, prove, keySigner(key));
}
