import { LedgerError } from "./errors";
import { assertDay } from "./window";

/** Who authorizes a payment under a policy, which determines the rules that apply (`chainAllows`). */
export const SPEND_MODE = {
  /** The agent's signing key, or the payment key of an account under its own policy. */
  agent: 0,
  /** The owner approves with the payment key. */
  approved: 1,
  /** The owner's wallet: no rules apply, and nothing is counted. */
  wallet: 2,
} as const;
export type SpendMode = (typeof SPEND_MODE)[keyof typeof SPEND_MODE];

/** The public signal `terms`: the payment's mode, and its calendar day in the policy's time zone (0 in mode 2). */
export interface Terms {
  mode: SpendMode;
  day: bigint;
}

const MODES = 4n;

/**
 * Packs terms into one integer: mode + 4·day.
 *
 * @throws LedgerError for an unknown mode, a day out of range, or a day in mode 2
 */
export function packTerms({ mode, day }: Terms): bigint {
  if (mode !== 0 && mode !== 1 && mode !== 2) throw new LedgerError("A payment has mode 0, 1 or 2.");
  assertDay(day);
  if (mode === SPEND_MODE.wallet && day !== 0n) throw new LedgerError("A payment that counts nothing names no day.");
  return BigInt(mode) + MODES * day;
}

/**
 * Unpacks terms.
 *
 * @throws LedgerError for an integer that `packTerms` never returns
 */
export function unpackTerms(packed: bigint): Terms {
  if (packed < 0n) throw new LedgerError("Terms are not negative.");
  const terms = { mode: Number(packed % MODES) as SpendMode, day: packed / MODES };
  packTerms(terms);
  return terms;
}
