import { isValidSignature } from "@/lib/chain/erc1271";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import { type LedgerParty, walletOf } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { keyBehind } from "@/lib/ledger/prepare/signature";

/** Who signs: the wallet that decides, by its key or by its code, or the owner's spender. */
export type Authority = "wallet" | "contract" | "spender";

/**
 * Who signed a `setPolicy` such that the ledger takes it for this party. Null: it does not. Whether the version is the
 * ledger's is not asked.
 *
 * @throws ApiError `unavailable` when a contract wallet has to be asked and the chain cannot be
 */
export async function authorityOf(
  scope: ChainScope,
  document: AuthorityDocumentOf<"set_policy">,
  party: LedgerParty,
): Promise<Authority | null> {
  const { digest } = authorityRequest(scope, document);
  const key = await keyBehind(digest, document.signature);
  if (key && maySign({ struct: "SetPolicy" }, party, key, BigInt(document.deadline))) {
    return key === walletOf(party).toLowerCase() ? "wallet" : "spender";
  }
  return (await isValidSignature(scope.chainId, walletOf(party), digest, document.signature)) ? "contract" : null;
}
