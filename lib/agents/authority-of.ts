import { isValidSignature } from "@/lib/chain/erc1271";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import { type LedgerParty, walletOf } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { keyBehind } from "@/lib/ledger/prepare/signature";

/** Who signed: the wallet in charge, either by its key or as a contract, or the owner's payment key. */
export type Authority = "wallet" | "contract" | "paymentKey";

/**
 * Returns who signed a `setPolicy`, if the ledger accepts that signer for this party; otherwise null. Does not check
 * the policy version.
 *
 * @throws ApiError `unavailable` if a contract wallet has to be asked and the chain can't be reached
 */
export async function authorityOf(
  scope: ChainScope,
  document: AuthorityDocumentOf<"set_policy">,
  party: LedgerParty,
): Promise<Authority | null> {
  const { digest } = authorityRequest(scope, document);
  const key = await keyBehind(digest, document.signature);
  if (key && maySign({ struct: "SetPolicy" }, party, key, BigInt(document.deadline))) {
    return key === walletOf(party).toLowerCase() ? "wallet" : "paymentKey";
  }
  return (await isValidSignature(scope.chainId, walletOf(party), digest, document.signature)) ? "contract" : null;
}
