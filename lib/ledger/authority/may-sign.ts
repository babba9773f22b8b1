import { type Address, isAddressEqual } from "viem";
import { SPEND_MODE, type SpendMode } from "../crypto/terms";
import type { LedgerStruct } from "../prepare/struct-types";
import { hasSignerAt, isSignerAt, type LedgerParty, walletOf } from "./ledger-record";

/** A payment of a ruled account in a mode, or any other call by its struct. */
export type LedgerCall =
  | { struct: Exclude<LedgerStruct, "Spend" | "SpendPublic"> }
  | { struct: "Spend" | "SpendPublic"; mode: SpendMode };

/**
 * Whether the ledger takes a call for `party` from `signer`, as far as its authority goes. `party` is whom the struct
 * names: of `Fund` the agent, in either direction; of `SetAgentSigner` each of the agents; of `EnrollAgent` the owner,
 * whose part of it is meant. `until` is the last second at which the call may be mined: its deadline.
 *
 * @param ends of `SetAgentSigner`: whether every signer in it is zero
 */
export function maySign(call: LedgerCall, party: LedgerParty, signer: Address, until: bigint, ends = false): boolean {
  const { address, record, owner } = party;
  const byWallet = isAddressEqual(signer, walletOf(party));
  const bySpender = !owner && isSignerAt(record, signer, until);
  const byOwner = owner ? byWallet || (!owner.record.guarded && isSignerAt(owner.record, signer, until)) : false;
  switch (call.struct) {
    case "Enroll":
      return isAddressEqual(signer, address);
    case "SetSpender":
    case "SetGuarded":
      return !owner && byWallet;
    case "Abandon":
    case "Allocate":
      return byWallet;
    case "EnrollAgent":
      return !owner && (byWallet || bySpender);
    case "SetAgentSigner":
      return owner !== undefined && (byWallet || (ends && isSignerAt(owner.record, signer, until)));
    case "SetPolicy":
      return owner ? byOwner : byWallet;
    case "Fund":
      return byOwner;
    case "Transfer":
    case "Release":
      return !record.ruled && (byWallet || bySpender);
    case "TransferMany":
      return byWallet || (!record.ruled && bySpender);
    case "Spend":
    case "SpendPublic":
      return record.ruled && mayPayIn(call.mode, party, signer, until);
  }
}

function mayPayIn(mode: SpendMode, party: LedgerParty, signer: Address, until: bigint): boolean {
  const { record, owner } = party;
  switch (mode) {
    case SPEND_MODE.agent:
      return isSignerAt(record, signer, until);
    case SPEND_MODE.approved:
      return owner !== undefined && hasSignerAt(record, until) && isSignerAt(owner.record, signer, until);
    case SPEND_MODE.wallet:
      return isAddressEqual(signer, walletOf(party));
  }
}
