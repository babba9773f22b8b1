import type { VerificationKey } from "snarkjs";

/**
 * Why a verification key must not be used, or null. Delta equals gamma when no one contributed: proofs can be forged.
 */
export function verificationKeyFault(vkey: VerificationKey): string | null {
  const same = JSON.stringify(vkey.vk_gamma_2) === JSON.stringify(vkey.vk_delta_2);
  return same ? "gamma equals delta: the proving key has no phase 2 contribution" : null;
}
