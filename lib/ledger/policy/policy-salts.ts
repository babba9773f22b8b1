import type { Address } from "viem";
import { bytesToBigint, randomBytes } from "../crypto/bytes";
import { saltFrom } from "../crypto/commitments";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";

/** Length of a policy salt in bytes. */
export const POLICY_SALT_LENGTH = 32;

/** Identifies a policy: its holder, on which ledger, and the policy version after its `setPolicy`. */
export interface PolicyRef {
  scope: Scope;
  /** The agent, or the account whose own keys have a policy. */
  holder: Address;
  version: bigint;
}

/**
 * Returns a random policy salt. Each `setPolicy` gets a new one, which hides limits and recipients from those who read
 * the chain. The service may read the policy, and stores the salt with it.
 */
export function newPolicySalt(): Uint8Array {
  return randomBytes(POLICY_SALT_LENGTH);
}

function derive(policySalt: Uint8Array, label: string, ref: PolicyRef, of: string, length: number): Uint8Array {
  if (policySalt.length !== POLICY_SALT_LENGTH) throw new RangeError("a policy salt has 32 bytes");
  const extra = `${ref.holder.toLowerCase()}/${ref.version}/${of}`;
  return hkdf(policySalt, label, ref.scope, { extra, length });
}

/** Returns the salt of one asset's policy commitment. */
export function policyCommitmentSalt(policySalt: Uint8Array, ref: PolicyRef, asset: Address): bigint {
  return saltFrom(bytesToBigint(derive(policySalt, "policy word", ref, asset.toLowerCase(), 48)));
}

/** Returns the salt of one recipient's leaf. Payments reveal it, so every recipient has its own. */
export function leafSalt(policySalt: Uint8Array, ref: PolicyRef, recipient: Address): Uint8Array {
  return derive(policySalt, "recipient leaf", ref, recipient.toLowerCase(), 32);
}

/**
 * Returns the padding leaf at `index`: uniform bytes, indistinguishable from real leaves without the salt. No
 * recipient hashes to it.
 */
export function paddingLeaf(policySalt: Uint8Array, ref: PolicyRef, index: number): Uint8Array {
  return derive(policySalt, "padding leaf", ref, String(index), 32);
}
