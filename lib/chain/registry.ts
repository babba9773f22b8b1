import { and, eq } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual, zeroAddress } from "viem";
import { db, type Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import type { LedgerParty, LedgerRecord } from "@/lib/ledger/authority/ledger-record";
import type { ChainId } from "@/lib/network";

/** What the ledger's registry says of an address, or will say once its enrolment is final. */
export interface RegistryRecord extends LedgerRecord {
  /** The enrolment was relayed and is not final. */
  pending: boolean;
}

/**
 * The database's record of an address (lower case) as it is now; null when it never enrolled. What is sealed to someone
 * takes its key from `viewingKeyOf`.
 */
export async function readRecord(
  chainId: ChainId,
  address: Address,
  at: Pick<Tx, "select"> = db(),
): Promise<RegistryRecord | null> {
  const [row] = await at
    .select()
    .from(ledgerAccounts)
    .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, address)));
  if (!row) return null;
  const { viewingKey, signer, until, nonce, policyVersion, guarded, ruled } = row;
  const owner = row.owner ?? zeroAddress;
  const pending = row.enrolledBlock === null;
  return { viewingKey, owner, signer, until, nonce, policyVersion, guarded, ruled, pending };
}

/**
 * An enrolled account, or an agent with its owner, as the database has their records; null when either never enrolled.
 * `at` is the caller's transaction, if it is in one.
 */
export async function readParty(
  chainId: ChainId,
  address: Address,
  at: Pick<Tx, "select"> = db(),
): Promise<(LedgerParty & { pending: boolean }) | null> {
  const record = await readRecord(chainId, address, at);
  if (!record) return null;
  if (isAddressEqual(record.owner, zeroAddress)) return { address, record, pending: record.pending };
  const owner = await readRecord(chainId, record.owner, at);
  return owner && { address, record, owner: { address: record.owner, record: owner }, pending: record.pending };
}

/** An address as the database and documents hold it. */
export function lowerAddress(address: Hex): Address {
  return address.toLowerCase() as Address;
}
