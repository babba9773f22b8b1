import type { Address } from "viem";
import { toHex } from "../crypto/bytes";
import {
  type BudgetOpening,
  budgetCommitment,
  EMPTY_NOTE,
  type NoteOpening,
  noteCommitment,
} from "../crypto/commitments";
import { InsufficientFunds, LedgerError } from "../crypto/errors";
import { assertUnits, wordToHex } from "../crypto/field";
import type { Scope } from "../crypto/scope";
import { budgetSaltOf, newSeed, noteSaltOf } from "../crypto/seed";
import { sealPayerCopy } from "../seal/copies";
import type { PreparedAllocation } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import { makePlan, type Plan } from "./plan";
import { NOTHING_COUNTED } from "./witness";

/** Note slots of one allocation. */
export const ALLOCATION_NOTES = 8;

/** Amounts in units, the deadline in Unix seconds. */
interface AllocationRequest {
  scope: Scope;
  account: Address;
  asset: Address;
  /** The opening of the newest budget state; EMPTY_BUDGET_OPENING when there was none. */
  budget: BudgetOpening;
  /** Up to 8 open notes, all of which are used up. */
  notes: readonly NoteOpening[];
  /** The part of the public credit that is used up. */
  credit: bigint;
  /** What the API may spend afterwards. What is left over comes back as a note. */
  newLimit: bigint;
  /** The account's nonce on the ledger. */
  nonce: bigint;
  deadline: bigint;
  /** X of the owner. */
  payerViewingKey: Uint8Array;
  /** s for an account, s_i for an agent. */
  secret: Uint8Array;
  /** An agent's counters; those of `budget` are carried forward when left out. */
  counters?: Uint8Array;
  /** The allocation's own, the same at every attempt; a random one when left out. */
  seed?: Uint8Array;
}

/**
 * Plans an allocation: notes, credit and old budget become the new budget and a change note (EMPTY_NOTE when nothing
 * is left). To be signed by the wallet, never the spender. The payer copy's amount is the change.
 *
 * @throws InvalidUnits also when the change would reach 2^64, InsufficientFunds, UnusableViewingKey
 */
export async function planAllocation(request: AllocationRequest): Promise<Plan<PreparedAllocation>> {
  const { scope, asset, budget, credit, newLimit } = request;
  if (request.notes.length > ALLOCATION_NOTES)
    throw new LedgerError("One transaction takes up to 8 received payments.");
  assertUnits(credit);
  assertUnits(newLimit);
  const change = request.notes.reduce((sum, note) => sum + note.amount, credit + budget.limit) - newLimit;
  if (change < 0n) throw new InsufficientFunds();
  assertUnits(change);

  const unused = Array.from({ length: ALLOCATION_NOTES - request.notes.length }, () => ({ amount: 0n, salt: 0n }));
  const slots = [...request.notes, ...unused];
  const notes = [...request.notes.map(noteCommitment), ...unused.map(() => EMPTY_NOTE)];
  const seed = request.seed ?? newSeed();
  const oldBudget = budgetCommitment(budget);
  const salt = budgetSaltOf(seed, scope, oldBudget);
  const next = { limit: newLimit, salt, counters: request.counters ?? budget.counters };
  const newBudget = budgetCommitment(next);
  const changeSalt = change === 0n ? 0n : noteSaltOf(seed, { scope, account: request.account, asset }, change);
  const changeNote = change === 0n ? EMPTY_NOTE : noteCommitment({ amount: change, salt: changeSalt });
  const ref = { scope, account: request.account, asset, commitment: newBudget };
  const ciphertext = await sealPayerCopy(request.payerViewingKey, ref, { amount: change, limit: newLimit, seed });
  const draft = {
    kind: "allocate" as const,
    account: lowerCase(request.account),
    asset: lowerCase(asset),
    old_budget: wordToHex(oldBudget),
    new_budget: wordToHex(newBudget),
    notes: notes.map(wordToHex),
    credit: credit.toString(),
    change_note: wordToHex(changeNote),
    ciphertext: toHex(ciphertext),
    nonce: request.nonce.toString(),
    deadline: request.deadline.toString(),
    next_state: nextStateOf(request.secret, ref, next),
  };
  return makePlan<PreparedAllocation>(scope, draft, {
    notes,
    credit,
    oldBudget,
    newBudget,
    changeNote,
    amounts: slots.map((slot) => slot.amount),
    noteSalts: slots.map((slot) => slot.salt),
    oldLimit: budget.limit,
    oldSpent: NOTHING_COUNTED.spent,
    oldDay: NOTHING_COUNTED.day,
    oldSalt: budget.salt,
    newLimit,
    newSpent: NOTHING_COUNTED.spent,
    newDay: NOTHING_COUNTED.day,
    newSalt: next.salt,
    change,
    changeSalt,
  });
}
