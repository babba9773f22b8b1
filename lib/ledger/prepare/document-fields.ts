import type { Address, Hex } from "viem";
import * as z from "zod";
import { FIELD_ORDER, UNITS_BOUND } from "../crypto/field";

/** Returns the schema of 0x-prefixed lower-case hex of `length` bytes, or of `length` to `most` bytes. */
export function hexBytes(length: number, most = length) {
  const pattern = new RegExp(`^0x[0-9a-f]{${length === most ? 2 * length : `${2 * length},${2 * most}`}}$`);
  return z
    .custom<Hex>(
      (value) => typeof value === "string" && value.length % 2 === 0 && pattern.test(value),
      `must be 0x and ${length === most ? length : `${length} to ${most}`} bytes of lower-case hex`,
    )
    .meta({ wire: { type: "string", pattern: pattern.source } });
}

/** An address in lower case. With only one form, addresses can be compared as text. */
export const addressText = z
  .custom<Address>(
    (value) => typeof value === "string" && /^0x[0-9a-f]{40}$/.test(value),
    "must be an address in lower case",
  )
  .meta({ wire: { type: "string", pattern: "^0x[0-9a-f]{40}$" } });

/** A commitment: 0x and 64 lower-case hex digits, below the field order. */
export const commitment = hexBytes(32).refine((value) => BigInt(value) < FIELD_ORDER, "must lie below the field order");

/** A u64 as a decimal string without leading zeros. */
export const u64 = z
  .string()
  // Without `abort`, zod also runs the next check, where BigInt throws for text that is not a number.
  .regex(/^(0|[1-9][0-9]{0,19})$/, { error: "must be a decimal string", abort: true })
  .refine((value) => BigInt(value) < UNITS_BOUND, "must be below 2^64");

/** A u64 above zero. */
export const positive = u64.refine((value) => value !== "0", "must be more than zero");
