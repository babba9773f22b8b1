import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import type { ChainId } from "@/lib/network";

/** What the ledger's registry says of an address, or will say once its enrolment is final. */
export interface RegistryRecord {
  viewingKey: Uint8Array;
  spender: Address;
  /** Unix seconds */
  spenderUntil: bigint;
  /** Of an agent. */
  owner: Address | null;
  nonce: bigint;
  /** The enrolment was relayed and is not final. */
  pending: boolean;
}

/**
 * The database's record of an address (lower case) as it is now; null when it never enrolled. What is sealed to someone
 * takes its key from `viewingKeyOf`.
 */
export async function readRecord(chainId: ChainId, address: Address): Promise<RegistryRecord | null> {
  const [row] = await db()
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, address)));
  if (!row) return null;
  const { viewingKey, spender, spenderUntil, owner, nonce, enrolledBlock } = row;
  return { viewingKey: fromHex(viewingKey), spender, spenderUntil, owner, nonce, pending: enrolledBlock === null };
}

/** An address as the database and documents hold it. */
export function lowerAddress(address: Hex): Address {
  return address.toLowerCase() as Address;
}
