import type { Address } from "viem";
import { bytesToBigint, randomBytes } from "../crypto/bytes";
import { saltFrom } from "../crypto/commitments";
import { hkdf } from "../crypto/hkdf";
import type { Scope } from "../crypto/scope";

/** Bytes of a policy salt. */
export const POLICY_SALT_LENGTH = 32;

/** Whose policy it is, on which ledger, and the policy version that `setPolicy` makes with it. */
export interface PolicyRef {
  scope: Scope;
  /** The agent, or the account under its own policy. */
  holder: Address;
  version: bigint;
}

/**
 * A new policy salt, drawn at each `setPolicy`: it hides limits and recipients from who reads the chain. The service
 * keeps it beside the policy, which it may read.
 */
export function newPolicySalt(): Uint8Array {
  return randomBytes(POLICY_SALT_LENGTH);
}

function derive(policySalt: Uint8Array, label: string, ref: PolicyRef, of: string, length: number): Uint8Array {
  if (policySalt.length !== POLICY_SALT_LENGTH) throw new RangeError("a policy salt has 32 bytes");
  const extra = `${ref.holder.toLowerCase()}/${ref.version}/${of}`;
  return hkdf(policySalt, label, ref.scope, { extra, length });
}

/** The salt of the policy word of one asset. */
export function policyWordSalt(policySalt: Uint8Array, ref: PolicyRef, asset: Address): bigint {
  return saltFrom(bytesToBigint(derive(policySalt, "policy word", ref, asset.toLowerCase(), 48)));
}

/** The salt of one recipient's leaf. A payment shows it, so it is another for every recipient. */
export function leafSalt(policySalt: Uint8Array, ref: PolicyRef, recipient: Address): Uint8Array {
  return derive(policySalt, "recipient leaf", ref, recipient.toLowerCase(), 32);
}

/** The padding leaf at `index`: uniform bytes, as leaves look to who lacks the salt. No recipient hashes to it. */
export function paddingLeaf(policySalt: Uint8Array, ref: PolicyRef, index: number): Uint8Array {
  return derive(policySalt, "padding leaf", ref, String(index), 32);
}
