import { type Address, type Hex, isAddressEqual, zeroAddress } from "viem";

/** The ledger's record of an account or agent (its `account` view). Times are Unix seconds; all zero without one. */
export interface LedgerRecord {
  viewingKey: Hex;
  /** The owner of an agent; the zero address for accounts. */
  owner: Address;
  /** An account's spender, an agent's signer; the zero address for none. */
  signer: Address;
  /** The last second at which the signer counts. */
  until: bigint;
  nonce: bigint;
  policyVersion: bigint;
  guarded: boolean;
  ruled: boolean;
}

/** An account, or an agent with its owner, as the ledger has them. */
export interface LedgerParty {
  address: Address;
  record: LedgerRecord;
  owner?: { address: Address; record: LedgerRecord };
}

/** Whose wallet decides for a party: its own, for an agent the owner's. */
export function walletOf({ address, owner }: LedgerParty): Address {
  return owner?.address ?? address;
}

/** Whether an agent's or account's signer is `signer`, and still counts at `time`. */
export function isSignerAt(record: LedgerRecord, signer: Address, time: bigint): boolean {
  return hasSignerAt(record, time) && isAddressEqual(record.signer, signer);
}

/** Whether a record has a signer at `time`. An agent without one has ended. */
export function hasSignerAt({ signer, until }: LedgerRecord, time: bigint): boolean {
  return !isAddressEqual(signer, zeroAddress) && time <= until;
}
