import type { Address, Hex } from "viem";
import { toHex } from "../crypto/bytes";
import type { BudgetOpening } from "../crypto/commitments";
import type { CommitmentRef } from "../crypto/scope";
import { openBudgetState, sealBudgetState } from "../seal/budget-state";
import type { SealedStateDocument } from "./documents";

/** Encrypts the next state, and decrypts it once as a check: a state that can't be decrypted would lose the budget. */
export function nextStateOf(
  secret: Uint8Array,
  ref: CommitmentRef,
  next: BudgetOpening,
  madeBy?: Hex,
): SealedStateDocument {
  const { sealed, flag } = sealBudgetState(secret, ref, next, madeBy);
  openBudgetState(secret, ref, sealed, next);
  return { sealed: toHex(sealed), flag: toHex(flag) };
}

/** Returns an address in lower case, as documents have it. */
export function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
