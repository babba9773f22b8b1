import type { Address, Hex } from "viem";
import { toHex } from "../crypto/bytes";
import type { AvailableOpening } from "../crypto/commitments";
import type { CommitmentRef } from "../crypto/scope";
import { decryptAvailableState, encryptAvailableState } from "../encrypted/available-state";
import type { EncryptedStateDocument } from "./documents";

/**
 * Encrypts the next state, and decrypts it once as a check: a state that can't be decrypted would lose the available
 * balance.
 */
export function nextStateOf(
  secret: Uint8Array,
  ref: CommitmentRef,
  next: AvailableOpening,
  madeBy?: Hex,
): EncryptedStateDocument {
  const { encrypted, flag } = encryptAvailableState(secret, ref, next, madeBy);
  decryptAvailableState(secret, ref, encrypted, next);
  return { encrypted: toHex(encrypted), flag: toHex(flag) };
}

/** Returns an address in lower case, as documents have it. */
export function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
