import type { Hex } from "viem";
import { toHex } from "./bytes";
import { hkdf } from "./hkdf";
import type { Scope } from "./scope";

/**
 * Returns the id of a payment that creates no note (`release`, `spendPublic`, `fund`): HKDF(seed, "payment id"). The
 * ledger accepts each id only once per account. The id depends only on the seed, so one seed never pays twice, whatever
 * else changes.
 */
export function paymentIdOf(seed: Uint8Array, scope: Scope): Hex {
  return toHex(hkdf(seed, "payment id", scope));
}
