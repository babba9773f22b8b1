import { SignerRefused } from "@/lib/balances/signer-refused";
import { ApiError } from "@/lib/base/errors";
import { requireDeadline } from "@/lib/chain/operations/require-deadline";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import { type LedgerParty, walletOf } from "@/lib/ledger/authority/ledger-record";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { hasOpenRecipients } from "@/lib/policy/policy-document";
import { type Authority, authorityOf } from "./authority-of";
import { type NextPolicy, planPolicy } from "./plan-policy";
import type { PolicySetting } from "./policy-row";
import type { SignedPolicy } from "./schema";

/** A change of a policy that the owner's client has signed. */
interface ChangeToAccept {
  policy: NextPolicy["policy"];
  paused: boolean;
  limited?: boolean;
  /** The ledger's policy version once everything under way has been mined. */
  policyVersion: bigint;
  /**
   * The change allows more than before. Then a stolen session is not enough to sign it, even with the account's secret.
   */
  isLooser: boolean;
}

/** A policy, ready to be relayed. */
export interface SigningOfPolicy {
  document: AuthorityDocumentOf<"set_policy">;
  setting: Omit<PolicySetting, "setBy">;
  /** A contract wallet signed it. */
  byContract: boolean;
}

/** Returns the error for a policy whose signature is missing or covers something else. */
export function notSigned(message: string): ApiError {
  return new ApiError("key_forbidden", message, { param: "signed" });
}

/**
 * Accepts a `setPolicy` that the owner's client has signed for exactly this change of the current policy. All fields of
 * the document are recomputed.
 *
 * @param party the policy's holder, as the ledger has it
 * @param signer who signed it, from `authorityOf`. Determine it before the transaction: a contract wallet may have to
 *   be asked
 * @throws ApiError `key_forbidden` if the signature covers another change or version, is someone else's, or is not the
 *   wallet's while the change loosens the policy; `invalid_request` for a deadline in the past or more than 24 hours
 *   ahead
 */
export function acceptPolicy(
  scope: ChainScope,
  party: LedgerParty,
  change: ChangeToAccept,
  { document, salt, resolved }: SignedPolicy,
  signer: Authority | null,
): SigningOfPolicy {
  requireDeadline(document.deadline, "signed.document.deadline");
  if (BigInt(document.policy_version) !== change.policyVersion) {
    throw notSigned("The policy has changed since you signed. Look at it, and sign again.");
  }
  const setting = {
    salt: fromHex(salt),
    version: change.policyVersion + 1n,
    resolved: hasOpenRecipients(change.policy) ? ("anyone" as const) : resolved,
  };
  const { policy, paused, limited } = change;
  const draft = planPolicy(scope, party, { policy, paused, setting, limited }, BigInt(document.deadline));
  if (authorityRequest(scope, draft).digest !== authorityRequest(scope, document).digest) {
    throw notSigned("This change was not signed as it arrived. Sign it again.");
  }
  if (signer === null) {
    const isAccepted = async (then: LedgerParty) => (await authorityOf(scope, document, then)) !== null;
    const holder = { address: party.address, rootAddress: walletOf(party) };
    throw new SignerRefused(
      { chainId: scope.chainId, holder, isAccepted },
      notSigned("This change was not signed by your account's wallet. Sign it again."),
    );
  }
  if (change.isLooser && signer === "paymentKey") {
    throw notSigned("This lets more be spent: sign the change with your wallet.");
  }
  return { document, setting, byContract: signer === "contract" };
}
