import type { Address, Hex } from "viem";
import type { HalcyonErrorCode } from "../api/errors";

/**
 * What a recovery step does to an available balance: gives it up, fills it from received and deposited money, pays it
 * out or, with a wallet that is not the account's own, moves an agent's balance to the account. `return`: takes back
 * what a seller was paid and did not collect.
 */
export type StepKind = "abandon" | "make_available" | "release" | "fund" | "return";

/** One transaction of a withdrawal. */
export interface RecoveryStep {
  account: Address;
  step: StepKind;
  tx_hash: Hex;
}

/** A step that failed, and why. */
export interface FailedStep {
  account: Address;
  step: StepKind;
  code: HalcyonErrorCode;
  reason: string;
}

/** Received payments that stay because moving them would cost more than they hold. */
export interface LeftDust {
  account: Address;
  asset: string;
  notes: number;
  amount: string;
}
