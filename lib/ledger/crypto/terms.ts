import { LedgerError } from "./errors";
import { assertDay } from "./window";

/** Who is responsible for a payment under a policy, and so which rules it keeps (`chainAllows`). */
export const SPEND_MODE = {
  /** The agent's signer, or the spender of an account under its own policy. */
  agent: 0,
  /** The owner's spender approves. */
  approved: 1,
  /** The owner's wallet: no rule, and nothing is counted. */
  wallet: 2,
} as const;
export type SpendMode = (typeof SPEND_MODE)[keyof typeof SPEND_MODE];

/** The public signal `terms`: the mode a payment claims, and its calendar day in the policy's zone (0 in mode 2). */
export interface Terms {
  mode: SpendMode;
  day: bigint;
}

const MODES = 4n;

/** mode + 4·day. Throws `LedgerError` on an unknown mode, a day out of range, and a day in mode 2. */
export function packTerms({ mode, day }: Terms): bigint {
  if (mode !== 0 && mode !== 1 && mode !== 2) throw new LedgerError("A payment has mode 0, 1 or 2.");
  assertDay(day);
  if (mode === SPEND_MODE.wallet && day !== 0n) throw new LedgerError("A payment that counts nothing names no day.");
  return BigInt(mode) + MODES * day;
}

/** The mode and day of packed terms; throws `LedgerError` on an integer that `packTerms` never makes. */
export function unpackTerms(packed: bigint): Terms {
  if (packed < 0n) throw new LedgerError("Terms are not negative.");
  const terms = { mode: Number(packed % MODES) as SpendMode, day: packed / MODES };
  packTerms(terms);
  return terms;
}
