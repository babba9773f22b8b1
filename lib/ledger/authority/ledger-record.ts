import { type Address, type Hex, isAddressEqual, zeroAddress } from "viem";

/**
 * The ledger's record of an account or agent (its `account` view). Times are Unix seconds. All zero if there is no
 * record.
 */
export interface LedgerRecord {
  viewingKey: Hex;
  /** The owner of an agent; the zero address for an account. */
  owner: Address;
  /** An account's payment key or an agent's signing key; the zero address if there is none. */
  signer: Address;
  /** The last second at which the signer is valid. */
  until: bigint;
  nonce: bigint;
  policyVersion: bigint;
  guarded: boolean;
  limited: boolean;
}

/** An account, or an agent with its owner, as the ledger has them. */
export interface LedgerParty {
  address: Address;
  record: LedgerRecord;
  owner?: { address: Address; record: LedgerRecord };
}

/** Returns the wallet in charge of a party: the account's own, or the owner's for an agent. */
export function walletOf({ address, owner }: LedgerParty): Address {
  return owner?.address ?? address;
}

/** Reports whether `signer` is the record's signer and still valid at `time`. */
export function isSignerAt(record: LedgerRecord, signer: Address, time: bigint): boolean {
  return hasSignerAt(record, time) && isAddressEqual(record.signer, signer);
}

/** Reports whether a record has a valid signer at `time`. An agent without one has ended. */
export function hasSignerAt({ signer, until }: LedgerRecord, time: bigint): boolean {
  return !isAddressEqual(signer, zeroAddress) && time <= until;
}
