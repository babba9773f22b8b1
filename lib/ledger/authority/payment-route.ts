import { type Address, isAddressEqual, zeroHash } from "viem";
import { SPEND_MODE, type SpendMode } from "../crypto/terms";
import { hasSignerAt, type LedgerParty } from "./ledger-record";
import { maySign } from "./may-sign";

/** Why the ledger would refuse every payment by this signer. */
export type RouteRefusal = "not_enrolled" | "agent_ended" | "signer_expired" | "not_authorized";

/** The ledger function for a payment, and its mode. */
export type PaymentRoute =
  | { function: "transfer" | "release" }
  | { function: "spend" | "spend_public"; mode: SpendMode }
  | { refused: RouteRefusal };

/** The modes of payments under a policy, the most restricted first. */
const MODES = [SPEND_MODE.agent, SPEND_MODE.approved, SPEND_MODE.wallet] as const;

/**
 * Returns the ledger function for a payment that `signer` signs: `transfer` or `release` for an account without a
 * policy, otherwise `spend` or `spendPublic` in the signer's mode. If the signer qualifies for several modes, the most
 * restricted one is used.
 *
 * @param deadline the payment's deadline; a signer that expires before it is refused
 */
export function paymentRoute(party: LedgerParty, isPublic: boolean, signer: Address, deadline: bigint): PaymentRoute {
  const { record } = party;
  if (record.viewingKey === zeroHash) return { refused: "not_enrolled" };
  if (!record.limited) {
    const struct = isPublic ? "Release" : "Transfer";
    if (maySign({ struct }, party, signer, deadline)) return { function: isPublic ? "release" : "transfer" };
    return { refused: refusalOf(party, signer) };
  }
  const struct = isPublic ? "SpendPublic" : "Spend";
  const mode = MODES.find((one) => maySign({ struct, mode: one }, party, signer, deadline));
  if (mode !== undefined) return { function: isPublic ? "spend_public" : "spend", mode };
  if (party.owner && !hasSignerAt(record, deadline)) return { refused: "agent_ended" };
  return { refused: refusalOf(party, signer) };
}

function refusalOf({ record, owner }: LedgerParty, signer: Address): RouteRefusal {
  const known = [record.signer, ...(owner ? [owner.record.signer] : [])];
  return known.some((one) => isAddressEqual(one, signer)) ? "signer_expired" : "not_authorized";
}
