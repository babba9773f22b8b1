import { and, eq } from "drizzle-orm";
import { type Address, type Hex, isAddressEqual, zeroAddress } from "viem";
import { shortRead, type Tx } from "@/db/client";
import { ledgerAccounts } from "@/db/schema/accounts";
import type { ChainId } from "@/lib/base/network";
import type { LedgerParty, LedgerRecord } from "@/lib/ledger/authority/ledger-record";

/** The record of an address in the ledger's registry, or the one it will have once its enrollment is final. */
export interface RegistryRecord extends LedgerRecord {
  /** The enrollment was relayed and is not final yet. */
  pending: boolean;
}

/**
 * Returns the database's current record of an address (lower case); null if it never enrolled. Don't encrypt to its
 * viewing key: use `viewingKeyOf`.
 */
export async function readRecord(
  chainId: ChainId,
  address: Address,
  at?: Pick<Tx, "select">,
): Promise<RegistryRecord | null> {
  const find = (from: Pick<Tx, "select">) =>
    from
      .select()
      .from(ledgerAccounts)
      .where(and(eq(ledgerAccounts.chainId, chainId), eq(ledgerAccounts.address, address)));
  const [row] = await (at ? find(at) : shortRead("rows", (_, db) => find(db)));
  if (!row) return null;
  const { viewingKey, signer, until, nonce, policyVersion, guarded, limited } = row;
  const owner = row.owner ?? zeroAddress;
  const pending = row.enrolledBlock === null;
  return { viewingKey, owner, signer, until, nonce, policyVersion, guarded, limited, pending };
}

/**
 * Returns the database's records of an enrolled account, or of an agent with its owner; null if either never enrolled.
 *
 * @param at the caller's transaction, if there is one
 */
export async function readParty(
  chainId: ChainId,
  address: Address,
  at?: Pick<Tx, "select">,
): Promise<{ address: Address; record: RegistryRecord; owner?: LedgerParty["owner"]; pending: boolean } | null> {
  const record = await readRecord(chainId, address, at);
  if (!record) return null;
  if (isAddressEqual(record.owner, zeroAddress)) return { address, record, pending: record.pending };
  const owner = await readRecord(chainId, record.owner, at);
  return owner && { address, record, owner: { address: record.owner, record: owner }, pending: record.pending };
}

/** Returns an address in lower case, as the database and documents have it. */
export function lowerAddress(address: Hex): Address {
  return address.toLowerCase() as Address;
}
