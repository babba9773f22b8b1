import type { Hex } from "viem";
import { toHex } from "./bytes";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/**
 * The id of a payment that makes no note (`release`, `spendPublic`, `fund`): HKDF(seed, "payment id"). The ledger takes
 * it once per account, for ever. It depends on the seed alone, so one seed never pays twice, whatever else changes.
 */
export function paymentIdOf(seed: Uint8Array, scope: Scope): Hex {
  return toHex(hkdf(seed, "payment id", scope));
}
