import type { Address } from "viem";
import { toHex } from "../crypto/bytes";
import type { BudgetOpening } from "../crypto/commitments";
import type { CommitmentRef } from "../crypto/scope";
import { openBudgetState, sealBudgetState } from "../seal/budget-state";
import type { SealedStateDocument } from "./documents";

/** The sealed state that follows, reopened once: what does not open now would lose the budget later. */
export function nextStateOf(secret: Uint8Array, ref: CommitmentRef, next: BudgetOpening): SealedStateDocument {
  const { sealed, flag } = sealBudgetState(secret, ref, next);
  openBudgetState(secret, ref, sealed, next);
  return { sealed: toHex(sealed), flag: toHex(flag) };
}

/** An address as documents hold it. */
export function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
