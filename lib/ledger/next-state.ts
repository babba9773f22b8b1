import type { Address } from "viem";
import { openBudgetState, sealBudgetState } from "./budget-state";
import { toHex } from "./bytes";
import type { BudgetOpening } from "./commitments";
import type { SealedStateDocument } from "./documents";
import type { Place } from "./scope";

/** The sealed state that follows, reopened once: what does not open now would lose the budget later. */
export function nextStateOf(secret: Uint8Array, place: Place, next: BudgetOpening): SealedStateDocument {
  const { sealed, flag } = sealBudgetState(secret, place, next);
  openBudgetState(secret, place, sealed);
  return { sealed: toHex(sealed), flag: toHex(flag) };
}

/** An address as documents hold it. */
export function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
