import { poseidon2, poseidon3 } from "poseidon-lite";
import { mod } from "../witness/field.ts";
import type { Inputs } from "./forge.ts";
import { available, CTX, MAX, note, type Window } from "./vectors.ts";

/** Limits of a policy; the commitment opens to them truthfully unless another is given. */
export interface Limits {
  perPayment: bigint;
  daily: bigint;
  threshold: bigint;
}

/** What the witness chooses in mode 2, where the policy stays closed. */
export const NO_LIMITS: Limits = { perPayment: MAX, daily: MAX, threshold: MAX };
const POLICY_SALT = 63n;

export function policy({ perPayment, daily, threshold }: Limits): bigint {
  return poseidon3([3n, mod(perPayment + 2n ** 64n * daily + 2n ** 128n * threshold), POLICY_SALT]);
}

/** A payment under a policy. What is left out is as an honest payer has it. */
export interface Spending {
  limit: bigint;
  amount: bigint;
  /** What counted before. */
  window: Window;
  mode: bigint;
  day: bigint;
  limits: Limits;
  /** The public commitment; that of `limits` when left out, or in mode 2 a commitment without a known opening. */
  policy?: bigint;
  /** The public note; one of `amount` when left out. */
  note?: bigint;
  /** The public terms; mode + 4 * day when left out. */
  terms?: bigint;
  /** What the new available balance says counted; by the rules when left out. */
  newWindow?: Window;
  newSalt?: bigint;
  newLimit?: bigint;
}

/** The window after a payment, by the rules. */
function windowAfter({ amount, window, mode, day }: Spending): Window {
  if (mode === 2n || mode === 3n) return window;
  return day > window.day ? { spent: amount, day } : { spent: window.spent + amount, day: window.day };
}

export function spendInputs(spending: Spending): Inputs {
  const { amount } = spending;
  const [oldSalt, noteSalt] = [61n, 62n];
  const commitment = spending.note ?? note(amount, noteSalt);
  const [nextSalt, pad] = poseidon3([5n, oldSalt, commitment], 2) as unknown as [bigint, bigint];
  const { terms, ...shared } = sharedInputs(spending, oldSalt, nextSalt);
  return { ...shared, note: commitment, terms, encrypted: mod(amount + pad), ctx: CTX, amount: mod(amount), noteSalt };
}

export function spendPublicInputs(spending: Spending): Inputs {
  const oldSalt = 71n;
  const shared = sharedInputs(spending, oldSalt, poseidon2([5n, oldSalt]));
  return { ...shared, amount: mod(spending.amount), ctx: CTX };
}

function sharedInputs(spending: Spending, oldSalt: bigint, nextSalt: bigint) {
  const { limit, amount, window, mode, day, limits } = spending;
  const { newWindow = windowAfter(spending), newSalt = nextSalt, newLimit = limit - amount } = spending;
  const closed = mode === 2n ? 0n : policy(limits);
  return {
    oldAvailable: available(limit, oldSalt, window),
    newAvailable: available(newLimit, newSalt, newWindow),
    policy: spending.policy ?? closed,
    terms: spending.terms ?? mod(mode + 4n * day),
    ...{
      limit: mod(limit),
      spent: mod(window.spent),
      oldDay: mod(window.day),
      oldSalt,
      mode: mod(mode),
      day: mod(day),
    },
    perPayment: mod(limits.perPayment),
    daily: mod(limits.daily),
    threshold: mod(limits.threshold),
    policySalt: POLICY_SALT,
  };
}
