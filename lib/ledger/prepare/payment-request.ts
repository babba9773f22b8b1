import type { Address } from "viem";
import type { AvailableOpening } from "../crypto/commitments";
import { InsufficientAvailableBalance, LedgerError } from "../crypto/errors";
import { assertUnits } from "../crypto/field";
import { newSeed } from "../crypto/payment-seed";
import { newRequestTag } from "../crypto/request-tag";
import type { Scope } from "../crypto/scope";
import { packWindow } from "../crypto/window";
import type { CopyEpoch } from "../encrypted/payer-copy";

/** The input of every change of an available balance. The deadline is in Unix seconds. */
export interface AvailableRequest {
  scope: Scope;
  account: Address;
  asset: Address;
  /** The opening of the newest available balance state. */
  available: AvailableOpening;
  /** At most 24 h after the block that includes it. */
  deadline: bigint;
  /** X of the payer; for an agent, X of its owner. */
  payerViewingKey: Uint8Array;
  /** k for an account, k_i for an agent. The next state is encrypted under it. */
  secret: Uint8Array;
  /** An agent's new counters; those of `available` by default. */
  counters?: Uint8Array;
  /** What a client with a home key keeps in the next state (`blindPartBytes`); that of `available` by default. */
  blind?: Uint8Array;
  /**
   * The payment's seed, the same for every attempt (`crypto/payment-seed.ts`). By default a random one, which allows
   * only one attempt.
   */
  seed?: Uint8Array;
  /** Of a payment with a home key: what `seed` is derived from, for the payer's copies. */
  epoch?: CopyEpoch;
  /** `requestTag` of the request that asks for the payment; a random one by default. */
  tag?: Uint8Array;
}

/** The input of every payment to one recipient. Amounts in units. */
export interface PaymentRequest extends AvailableRequest {
  to: Address;
  amount: bigint;
  /** The payer's policy version in the ledger's record. A later version voids the payment. */
  policyVersion: bigint;
  memo?: string;
}

/** A payment that its recipient receives as a note. */
export interface NotePaymentRequest extends PaymentRequest {
  /** X of the recipient, as the ledger has it. */
  recipientViewingKey: Uint8Array;
  /** 32 bytes that say what the payment is for, for example a request, an invoice or a challenge. */
  binding?: Uint8Array;
}

/** A payment with a public amount. */
export interface PublicPaymentRequest extends PaymentRequest {
  /** X of the recipient if it is enrolled. A memo is then also encrypted for the recipient. */
  recipientViewingKey?: Uint8Array;
}

/** Returns the seed and tag of a request, or random ones by default. */
export function seedAndTag({ seed, tag }: AvailableRequest): { seed: Uint8Array; tag: Uint8Array } {
  return { seed: seed ?? newSeed(), tag: tag ?? newRequestTag() };
}

/**
 * Returns the limit after `amount` has been paid.
 *
 * @throws InvalidUnits for a zero or oversized amount, InsufficientAvailableBalance
 */
export function limitAfter(limit: bigint, amount: bigint): bigint {
  assertUnits(amount, 1n);
  if (amount > limit) throw new InsufficientAvailableBalance();
  return limit - amount;
}

/**
 * Checks that nothing was counted under a policy in this available balance: `transfer` and `release` can't open such a
 * commitment.
 *
 * @throws LedgerError
 */
export function assertNotLimited({ window }: AvailableOpening): void {
  if (packWindow(window) !== 0n)
    throw new LedgerError("This available balance is under a policy. Pay from it by a limited payment.");
}
