import { type Address, isAddressEqual } from "viem";
import { SPEND_MODE, type SpendMode } from "../crypto/terms";
import type { LedgerStruct } from "../prepare/struct-types";
import { hasSignerAt, isSignerAt, type LedgerParty, walletOf } from "./ledger-record";

/** A call of the ledger, by the name of its struct. Payments under a policy also have a mode. */
export type LedgerCall =
  | { struct: Exclude<LedgerStruct, "Spend" | "SpendPublic"> }
  | { struct: "Spend" | "SpendPublic"; mode: SpendMode };

/**
 * Reports whether the ledger accepts `signer` as the signer of a call for `party`. Checks only the authority of the
 * signer.
 *
 * @param party the account or agent that the struct names: for `Fund` the agent, in either direction; for
 *   `SetAgentSigner` each of the agents; for `EnrollAgent` the owner, whose signature is meant
 * @param until the last second at which the call may be mined, which is its deadline
 * @param ends for `SetAgentSigner`: whether all new signers are zero
 */
export function maySign(call: LedgerCall, party: LedgerParty, signer: Address, until: bigint, ends = false): boolean {
  const { address, record, owner } = party;
  const byWallet = isAddressEqual(signer, walletOf(party));
  const byPaymentKey = !owner && isSignerAt(record, signer, until);
  const byOwner = owner ? byWallet || (!owner.record.guarded && isSignerAt(owner.record, signer, until)) : false;
  switch (call.struct) {
    case "Enroll":
      return isAddressEqual(signer, address);
    case "SetPaymentKey":
    case "SetGuarded":
      return !owner && byWallet;
    case "Abandon":
    case "MakeAvailable":
      return byWallet;
    case "EnrollAgent":
      return !owner && (byWallet || byPaymentKey);
    case "SetAgentSigner":
      return owner !== undefined && (byWallet || (ends && isSignerAt(owner.record, signer, until)));
    case "SetPolicy":
      return owner ? byOwner : byWallet;
    case "Fund":
      return byOwner;
    case "Transfer":
    case "Release":
      return !record.limited && (byWallet || byPaymentKey);
    case "TransferMany":
      return byWallet || (!record.limited && byPaymentKey);
    case "Spend":
    case "SpendPublic":
      return record.limited && mayPayIn(call.mode, party, signer, until);
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
