import { customType, timestamp } from "drizzle-orm/pg-core";
import { bytesToHex, type Hex, hexToBytes } from "viem";

/** Bytes in a `bytea` column, 0x hex in TypeScript: addresses, commitments, hashes, ciphertexts. */
export const hex = customType<{ data: Hex; driverData: Uint8Array }>({
  dataType: () => "bytea",
  toDriver: (value) => Buffer.from(hexToBytes(value)),
  fromDriver: (value) => bytesToHex(value),
});

/** A timestamp with milliseconds, as every response shows it. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: "date" });
