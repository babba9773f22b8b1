import { poseidon3 } from "poseidon-lite/poseidon3";
import { LedgerError } from "./errors";
import { assertUnits, isWord, UNITS_BOUND } from "./field";

const POLICY_TAG = 3n;

/** The policy word of an asset that may not be spent at all. It opens to nothing. */
export const NO_SPENDING = 0n;

/** A limit that no amount exceeds: amounts and what is spent in a day lie below 2^64. */
export const NO_LIMIT = UNITS_BOUND - 1n;

/** The amount rules of one asset that the ledger itself enforces, in units, each below 2^64. */
export interface SpendLimits {
  /** The most of one payment, also of an approved one. */
  perPayment: bigint;
  /** The most of all payments of one calendar day, also of approved ones. */
  daily: bigint;
  /** The most of a payment without approval. */
  threshold: bigint;
}

/** What a policy word stands for. The salt is one per asset and policy version. */
export interface PolicyOpening extends SpendLimits {
  salt: bigint;
}

/** perPayment + 2^64·daily + 2^128·threshold. Throws `InvalidUnits` when a limit is out of range. */
export function packLimits({ perPayment, daily, threshold }: SpendLimits): bigint {
  for (const limit of [perPayment, daily, threshold]) assertUnits(limit);
  return perPayment + UNITS_BOUND * (daily + UNITS_BOUND * threshold);
}

/** The limits that `packLimits` packed; throws `InvalidUnits` on an integer it never makes. */
export function unpackLimits(packed: bigint): SpendLimits {
  const threshold = packed / (UNITS_BOUND * UNITS_BOUND);
  const limits = { perPayment: packed % UNITS_BOUND, daily: (packed / UNITS_BOUND) % UNITS_BOUND, threshold };
  packLimits(limits);
  return limits;
}

/** Poseidon(3, packed limits, salt): the word of one asset's limits. */
export function policyWord(opening: PolicyOpening): bigint {
  if (opening.salt === 0n || !isWord(opening.salt)) {
    throw new LedgerError("A salt lies between 1 and the field order.");
  }
  return poseidon3([POLICY_TAG, packLimits(opening), opening.salt]);
}
