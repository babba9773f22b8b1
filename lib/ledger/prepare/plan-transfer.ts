import type { Address } from "viem";
import { toHex } from "../crypto/bytes";
import { type BudgetOpening, budgetCommitment, noteCommitment } from "../crypto/commitments";
import { InsufficientBudget } from "../crypto/errors";
import { assertUnits, wordToHex } from "../crypto/field";
import type { Scope } from "../crypto/scope";
import { budgetSaltOf, newSeed, noteSaltOf } from "../crypto/seed";
import { sealPayerCopy, sealRecipientCopy } from "../seal/copies";
import { sealNoteMemo } from "../seal/memo";
import type { PreparedTransfer } from "./documents";
import { lowerCase, nextStateOf } from "./next-state";
import { makePlan, type Plan } from "./plan";

/** What every payment from a budget needs to know. Amounts in units, the deadline in Unix seconds. */
export interface PaymentRequest {
  scope: Scope;
  account: Address;
  to: Address;
  asset: Address;
  /** The opening of the newest budget state. */
  budget: BudgetOpening;
  amount: bigint;
  /** At most 24 h ahead of the block that takes it. */
  deadline: bigint;
  /** X of the payer; for an agent X of its owner. */
  payerViewingKey: Uint8Array;
  /** s for an account, s_i for an agent: the next state is sealed under it. */
  secret: Uint8Array;
  /** An agent's new counters; those of `budget` are carried forward when left out. */
  counters?: Uint8Array;
  memo?: string;
  /** The payment's own, the same at every attempt (`seed.ts`);a random one when left out, for a single attempt. */
  seed?: Uint8Array;
}

interface TransferRequest extends PaymentRequest {
  /** X of the recipient, as the ledger has it. */
  recipientViewingKey: Uint8Array;
}

/** The budget after a payment; throws `InvalidUnits` on a zero or oversized amount, `InsufficientBudget` when short. */
export function budgetAfter(request: PaymentRequest, salt: bigint): BudgetOpening {
  assertUnits(request.amount, 1n);
  if (request.amount > request.budget.limit) throw new InsufficientBudget();
  return {
    limit: request.budget.limit - request.amount,
    salt,
    counters: request.counters ?? request.budget.counters,
  };
}

/**
 * Plans a confidential payment: budget minus amount, a note of exactly the amount, both ciphertexts, the memo and the
 * next sealed state. A retry is a new call with the same seed, recipient and amount over a newer budget: it makes the
 * same note.
 *
 * @throws InvalidUnits, InsufficientBudget, UnusableViewingKey, InvalidMemo
 */
export async function planTransfer(request: TransferRequest): Promise<Plan<PreparedTransfer>> {
  const { scope, asset, amount, budget } = request;
  const seed = request.seed ?? newSeed();
  const oldBudget = budgetCommitment(budget);
  const next = budgetAfter(request, budgetSaltOf(seed, scope, oldBudget));
  const opening = { amount, salt: noteSaltOf(seed, { scope, account: request.to, asset }, amount) };
  const newBudget = budgetCommitment(next);
  const note = noteCommitment(opening);
  const payerRef = { scope, account: request.account, asset, commitment: newBudget };
  const recipientRef = { scope, account: request.to, asset, commitment: note };
  const copy = { amount, limit: next.limit, seed };
  const recipientCiphertext = await sealRecipientCopy(request.recipientViewingKey, recipientRef, opening);
  const payerCiphertext = await sealPayerCopy(request.payerViewingKey, payerRef, copy);
  const memo =
    request.memo === undefined ? {} : { memo_ciphertext: toHex(sealNoteMemo(scope, note, opening.salt, request.memo)) };
  const draft = {
    kind: "transfer" as const,
    account: lowerCase(request.account),
    to: lowerCase(request.to),
    asset: lowerCase(asset),
    old_budget: wordToHex(oldBudget),
    new_budget: wordToHex(newBudget),
    note: wordToHex(note),
    deadline: request.deadline.toString(),
    recipient_ciphertext: toHex(recipientCiphertext),
    payer_ciphertext: toHex(payerCiphertext),
    ...memo,
    next_state: nextStateOf(request.secret, payerRef, next),
  };
  return makePlan<PreparedTransfer>(scope, draft, {
    oldBudget,
    newBudget,
    note,
    limit: budget.limit,
    oldSalt: budget.salt,
    newSalt: next.salt,
    amount,
    noteSalt: opening.salt,
  });
}
