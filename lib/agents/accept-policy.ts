import type { ChainScope } from "@/lib/chain/scope-of";
import { ApiError } from "@/lib/errors";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import type { LedgerParty } from "@/lib/ledger/authority/ledger-record";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { requireDeadline } from "@/lib/operations/require-deadline";
import { hasOpenRecipients } from "@/lib/policy/policy-document";
import type { Authority } from "./authority-of";
import { type NextPolicy, planPolicy } from "./plan-policy";
import type { PolicySetting } from "./policy-row";
import type { SignedPolicy } from "./schema";

/** A change that the owner's client has signed. */
export interface ChangeToAccept {
  policy: NextPolicy["policy"];
  paused: boolean;
  ruled?: boolean;
  /** The version that the ledger has once what is under way is there. */
  policyVersion: bigint;
  /** It lets more through than before: a stolen session, even with the account's secret, does not do. */
  isLooser: boolean;
}

/** A policy as it is relayed. */
export interface SigningOfPolicy {
  document: AuthorityDocumentOf<"set_policy">;
  setting: Omit<PolicySetting, "setBy">;
  /** The code of a wallet signed it. */
  byContract: boolean;
}

/** The refusal of a policy that was not signed as it arrived. */
export function notSigned(message: string): ApiError {
  return new ApiError("key_forbidden", message, { param: "signed" });
}

/**
 * Takes a `setPolicy` that the owner's client has signed for exactly this change, over the policy as it is: the fields
 * of the document are computed again.
 *
 * @param party the holder as the ledger has it
 * @param signer who has signed it, of `authorityOf` before the transaction: a contract wallet's code may have to be asked
 * @throws ApiError `key_forbidden` for another change, version or signer, or one that loosens without the wallet;
 *   `invalid_request` for a deadline that is past or over 24 h ahead
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
  const { policy, paused, ruled } = change;
  const draft = planPolicy(scope, party, { policy, paused, setting, ruled }, BigInt(document.deadline));
  if (authorityRequest(scope, draft).digest !== authorityRequest(scope, document).digest) {
    throw notSigned("This change was not signed as it arrived. Sign it again.");
  }
  if (signer === null) throw notSigned("This change was not signed by your account's wallet. Sign it again.");
  if (change.isLooser && signer === "spender") {
    throw notSigned("This lets more be spent: sign the change with your wallet.");
  }
  return { document, setting, byContract: signer === "contract" };
}
