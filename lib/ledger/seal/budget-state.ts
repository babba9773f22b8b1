import { AEAD_OVERHEAD, seal, unseal } from "../crypto/aead";
import { bigintToBytes, concat } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment } from "../crypto/commitments";
import { UnsealFailed } from "../crypto/errors";
import { hkdf } from "../crypto/hkdf";
import { deriveFlagKey } from "../crypto/keys";
import { type CommitmentRef, commitmentRefBytes } from "../crypto/scope";
import { FixedFields } from "./fixed-fields";

const VERSION = 2;
const FIXED_LENGTH = 1 + 8 + 8 + 4 + 32;

/**
 * Length of the shortest encrypted state in bytes: version (1), limit (8), spent (8), day (4), salt (32), no counters.
 */
export const SEALED_STATE_MIN_LENGTH = FIXED_LENGTH + AEAD_OVERHEAD;
/** Leaves room for an agent's counters. */
export const SEALED_STATE_MAX_LENGTH = SEALED_STATE_MIN_LENGTH + 4096;

/** Length of an encrypted flag in bytes. The plaintext is one byte. */
export const SEALED_FLAG_LENGTH = 1 + AEAD_OVERHEAD;

/**
 * A budget state as the service stores it: a ciphertext that only k (or k_i) decrypts, and a flag for the balances
 * route.
 */
interface SealedState {
  sealed: Uint8Array;
  flag: Uint8Array;
}

/**
 * Encrypts a budget's opening, including its window, under HKDF(secret, "budget state"), and whether the budget is
 * above zero under HKDF(secret, "flag").
 *
 * @param secret k for an account, k_i for an agent
 * @param ref `ref.commitment` is the budget word
 * @throws UnsealFailed if `budget` is not the opening of that word
 */
export function sealBudgetState(secret: Uint8Array, ref: CommitmentRef, budget: BudgetOpening): SealedState {
  if (budgetCommitment(budget) !== ref.commitment) throw new UnsealFailed("budget opening");
  const plain = concat(
    Uint8Array.of(VERSION),
    bigintToBytes(budget.limit, 8),
    bigintToBytes(budget.window.spent, 8),
    bigintToBytes(budget.window.day, 4),
    bigintToBytes(budget.salt, 32),
    budget.counters ?? new Uint8Array(),
  );
  return {
    sealed: seal(hkdf(secret, "budget state", ref.scope), commitmentRefBytes(ref), plain),
    flag: sealFlag(deriveFlagKey(secret, ref.scope), ref, budget.limit > 0n),
  };
}

/**
 * Decrypts a budget state.
 *
 * @param sealedNow the opening that was just encrypted, if its word is known; an equal one is not hashed again
 * @throws UnsealFailed, also if the content doesn't match the budget word
 */
export function openBudgetState(
  secret: Uint8Array,
  ref: CommitmentRef,
  sealed: Uint8Array,
  sealedNow?: BudgetOpening,
): BudgetOpening {
  const plain = unseal(hkdf(secret, "budget state", ref.scope), commitmentRefBytes(ref), sealed, "budget state");
  if (plain.length < FIXED_LENGTH || plain[0] !== VERSION) throw new UnsealFailed("budget state");
  const fields = new FixedFields(plain.subarray(1));
  const limit = fields.integer(8);
  const window = { spent: fields.integer(8), day: fields.integer(4) };
  const budget: BudgetOpening = { limit, window, salt: fields.integer(32) };
  const hashed = sealedNow && hasSameWord(budget, sealedNow) ? sealedNow : budget;
  if (!isOpeningOf(hashed, ref.commitment)) throw new UnsealFailed("budget state");
  return plain.length === FIXED_LENGTH ? budget : { ...budget, counters: plain.slice(FIXED_LENGTH) };
}

/** Reports whether everything that determines the word is equal. */
function hasSameWord(a: BudgetOpening, b: BudgetOpening): boolean {
  const isSameWindow = a.window.spent === b.window.spent && a.window.day === b.window.day;
  return a.limit === b.limit && a.salt === b.salt && isSameWindow;
}

/** Reports whether an opening matches a word. False for openings that no word can have, such as a salt of zero. */
export function isOpeningOf(budget: BudgetOpening, word: bigint): boolean {
  try {
    return budgetCommitment(budget) === word;
  } catch {
    return false;
  }
}

/**
 * Encrypts whether a budget is above zero.
 *
 * @param flagKey `deriveFlagKey(k or k_i)`
 */
export function sealFlag(flagKey: Uint8Array, ref: CommitmentRef, aboveZero: boolean): Uint8Array {
  return seal(flagKey, commitmentRefBytes(ref), Uint8Array.of(aboveZero ? 1 : 0));
}

/**
 * Returns whether the budget is above zero.
 *
 * @throws UnsealFailed
 */
export function openFlag(flagKey: Uint8Array, ref: CommitmentRef, flag: Uint8Array): boolean {
  const plain = unseal(flagKey, commitmentRefBytes(ref), flag, "budget flag");
  if (plain.length !== 1 || (plain[0] !== 0 && plain[0] !== 1)) throw new UnsealFailed("budget flag");
  return plain[0] === 1;
}
