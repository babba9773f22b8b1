import type { Address } from "viem";
import type { BudgetOpening } from "../crypto/commitments";
import { InsufficientBudget, LedgerError } from "../crypto/errors";
import { assertUnits } from "../crypto/field";
import { newRequestTag } from "../crypto/request-tag";
import type { Scope } from "../crypto/scope";
import { newSeed } from "../crypto/seed";
import { packWindow } from "../crypto/window";

/** What every move of a budget needs to know. The deadline is in Unix seconds. */
export interface BudgetRequest {
  scope: Scope;
  account: Address;
  asset: Address;
  /** The opening of the newest budget state. */
  budget: BudgetOpening;
  /** At most 24 h ahead of the block that takes it. */
  deadline: bigint;
  /** X of the payer; for an agent X of its owner. */
  payerViewingKey: Uint8Array;
  /** s for an account, s_i for an agent: the next state is sealed under it. */
  secret: Uint8Array;
  /** An agent's new counters; those of `budget` are carried forward when left out. */
  counters?: Uint8Array;
  /** The payment's own, the same at every attempt (`crypto/seed.ts`); a random one when left out, for one attempt. */
  seed?: Uint8Array;
  /** `requestTag` of the request that asks for the payment; a random one when left out. */
  tag?: Uint8Array;
}

/** What every payment to one recipient needs to know. Amounts in units. */
export interface PaymentRequest extends BudgetRequest {
  to: Address;
  amount: bigint;
  /** The payer's policy version in the ledger's record. A later one voids the payment. */
  policyVersion: bigint;
  memo?: string;
}

/** A payment that its recipient receives as a note. */
export interface NotePaymentRequest extends PaymentRequest {
  /** X of the recipient, as the ledger has it. */
  recipientViewingKey: Uint8Array;
  /** 32 bytes that say what the payment is for: of a request, an invoice, a challenge. */
  binding?: Uint8Array;
}

/** A payment of a public amount. */
export interface PublicPaymentRequest extends PaymentRequest {
  /** X of the recipient when it is enrolled: a memo is then sealed to it as well. */
  recipientViewingKey?: Uint8Array;
}

/** Seed and tag of a request, drawn where it has none. */
export function seedAndTag({ seed, tag }: BudgetRequest): { seed: Uint8Array; tag: Uint8Array } {
  return { seed: seed ?? newSeed(), tag: tag ?? newRequestTag() };
}

/** The limit after `amount` has left; throws `InvalidUnits` on a zero or oversized amount, `InsufficientBudget`. */
export function limitAfter(limit: bigint, amount: bigint): bigint {
  assertUnits(amount, 1n);
  if (amount > limit) throw new InsufficientBudget();
  return limit - amount;
}

/** Throws `LedgerError` when the budget counts under a policy: `transfer` and `release` open no such word. */
export function assertNotRuled({ window }: BudgetOpening): void {
  if (packWindow(window) !== 0n)
    throw new LedgerError("This budget is under a policy. Pay from it by a ruled payment.");
}
