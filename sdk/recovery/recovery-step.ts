import type { Address, Hex } from "viem";

/**
 * What a recovery does to an available balance: gives it up, fills it from received and deposited money, pays it out, or, with
 * another wallet than the account's, moves an agent's to the account. `return`: what a seller was paid and did not take.
 */
export type StepKind = "abandon" | "allocate" | "release" | "fund" | "return";

/** One transaction of a withdrawal. */
export interface RecoveryStep {
  account: Address;
  step: StepKind;
  tx_hash: Hex;
}

/** What did not work, and why. */
export interface FailedStep {
  account: Address;
  step: StepKind;
  reason: string;
}

/** Received payments that stay because moving them costs more than they hold. */
export interface LeftDust {
  account: Address;
  asset: string;
  notes: number;
  amount: string;
}
