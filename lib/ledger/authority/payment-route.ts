import { type Address, isAddressEqual, zeroHash } from "viem";
import { SPEND_MODE, type SpendMode } from "../crypto/terms";
import { hasSignerAt, type LedgerParty } from "./ledger-record";
import { maySign } from "./may-sign";

/** Why the ledger would take no payment from this signer. */
export type RouteRefusal = "not_enrolled" | "agent_ended" | "signer_expired" | "not_authorized";

/** Which function of the ledger serves a payment, and in which mode. */
export type PaymentRoute =
  | { function: "transfer" | "release" }
  | { function: "spend" | "spend_public"; mode: SpendMode }
  | { refused: RouteRefusal };

/** The modes in which a signer pays, the one with the most rules first. */
const MODES = [SPEND_MODE.agent, SPEND_MODE.approved, SPEND_MODE.wallet] as const;

/**
 * Which function serves a payment that `signer` signs: `transfer` and `release` of an account that is not ruled, else
 * `spend` and `spendPublic`, in the mode that is the signer's. Where an address is more than one of them, the one with
 * the most rules. `deadline` is the payment's: a signer that ends before it is refused.
 */
export function paymentRoute(party: LedgerParty, isPublic: boolean, signer: Address, deadline: bigint): PaymentRoute {
  const { record } = party;
  if (record.viewingKey === zeroHash) return { refused: "not_enrolled" };
  if (!record.ruled) {
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
