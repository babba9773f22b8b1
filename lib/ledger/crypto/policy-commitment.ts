import { poseidon3 } from "poseidon-lite/poseidon3";
import { LedgerError } from "./errors";
import { assertUnits, isFieldElement, UNITS_BOUND } from "./field";

const POLICY_TAG = 3n;

/** The policy commitment of an asset that may not be spent at all. It has no opening. */
export const NO_SPENDING = 0n;

/** A limit that nothing exceeds: amounts and daily totals are below 2^64. */
export const NO_LIMIT = UNITS_BOUND - 1n;

/** The limits of one asset that the ledger itself enforces, in units, each below 2^64. */
export interface SpendLimits {
  /** The most per payment, even if it is approved. */
  perPayment: bigint;
  /** The most per calendar day, including approved payments. */
  daily: bigint;
  /** The most per payment without approval. */
  threshold: bigint;
}

/** The opening of a policy commitment. Each asset and policy version has its own salt. */
export interface PolicyOpening extends SpendLimits {
  salt: bigint;
}

/**
 * Packs limits into one integer: perPayment + 2^64·daily + 2^128·threshold.
 *
 * @throws InvalidUnits if a limit is out of range
 */
export function packLimits({ perPayment, daily, threshold }: SpendLimits): bigint {
  for (const limit of [perPayment, daily, threshold]) assertUnits(limit);
  return perPayment + UNITS_BOUND * (daily + UNITS_BOUND * threshold);
}

/**
 * Unpacks the limits that `packLimits` packed.
 *
 * @throws InvalidUnits for an integer that it never returns
 */
export function unpackLimits(packed: bigint): SpendLimits {
  const threshold = packed / (UNITS_BOUND * UNITS_BOUND);
  const limits = { perPayment: packed % UNITS_BOUND, daily: (packed / UNITS_BOUND) % UNITS_BOUND, threshold };
  packLimits(limits);
  return limits;
}

/** Returns the policy commitment of one asset: Poseidon(3, packed limits, salt). */
export function policyCommitment(opening: PolicyOpening): bigint {
  if (opening.salt === 0n || !isFieldElement(opening.salt)) {
    throw new LedgerError("A salt lies between 1 and the field order.");
  }
  return poseidon3([POLICY_TAG, packLimits(opening), opening.salt]);
}
