import type { Hex } from "viem";
import { InvalidCommitment, InvalidUnits } from "./errors";

/** r, the order of the BN254 scalar field. Circuits compute modulo r, and every commitment is below it. */
export const FIELD_ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** Amounts, limits and deposited money, in whole units, are below this. */
export const UNITS_BOUND = 1n << 64n;

/** Reports whether an integer is in [0, r). */
export function isFieldElement(value: bigint): boolean {
  return value >= 0n && value < FIELD_ORDER;
}

/**
 * Encodes a commitment as documents and the database have it: 0x and 64 hex digits.
 *
 * @throws InvalidCommitment for values at or above r
 */
export function commitmentToHex(commitment: bigint): Hex {
  if (!isFieldElement(commitment)) throw new InvalidCommitment("A commitment must lie below the field order.");
  return `0x${commitment.toString(16).padStart(64, "0")}`;
}

/**
 * Decodes a commitment from 0x-prefixed 32-byte hex.
 *
 * @throws InvalidCommitment for any other form and for values at or above r
 */
export function hexToCommitment(hex: string): bigint {
  if (!/^0x[0-9a-fA-F]{64}$/.test(hex)) throw new InvalidCommitment("A commitment is written as 0x and 64 hex digits.");
  const commitment = BigInt(hex);
  if (!isFieldElement(commitment)) throw new InvalidCommitment("A commitment must lie below the field order.");
  return commitment;
}

/**
 * Checks that `minimum <= units < 2^64`.
 *
 * @throws InvalidUnits
 */
export function assertUnits(units: bigint, minimum = 0n): void {
  if (typeof units !== "bigint" || units < minimum || units >= UNITS_BOUND) throw new InvalidUnits();
}
