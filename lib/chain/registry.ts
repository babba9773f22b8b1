import { and, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import { fromHex } from "@/lib/ledger/bytes";
import { isUsableViewingKey } from "@/lib/ledger/hpke";
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

/** The record of an address (lower case) as it is now; null when it never enrolled. */
export async function readRecord(chainId: ChainId, address: Address): Promise<RegistryRecord | null> {
  const [row] = await db()
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, address)));
  if (!row) return null;
  const { viewingKey, spender, spenderUntil, owner, nonce, enrolledBlock } = row;
  return { viewingKey: fromHex(viewingKey), spender, spenderUntil, owner, nonce, pending: enrolledBlock === null };
}

/** A viewing key that HPKE may seal to, and whether its enrolment is still under way. */
export interface ReceivingKey {
  viewingKey: Uint8Array;
  pending: boolean;
}

const KEPT = 50_000;
const finalKeys = new Map<string, Uint8Array>();

/**
 * The viewing key of an address, or null when it cannot receive confidentially: not enrolled, or with a key nothing
 * sealed to would be secret. Registered keys are for ever, so final ones are remembered.
 */
export async function receivingKey(chainId: ChainId, address: Address): Promise<ReceivingKey | null> {
  const name = `${chainId}/${address}`;
  const known = finalKeys.get(name);
  if (known) return { viewingKey: known, pending: false };
  const record = await readRecord(chainId, address);
  if (!record || !isUsableViewingKey(record.viewingKey)) return null;
  if (!record.pending) {
    if (finalKeys.size >= KEPT) finalKeys.clear();
    finalKeys.set(name, record.viewingKey);
  }
  return { viewingKey: record.viewingKey, pending: record.pending };
}

/** An address as the database and documents hold it. */
export function lowerAddress(address: Hex): Address {
  return address.toLowerCase() as Address;
}
