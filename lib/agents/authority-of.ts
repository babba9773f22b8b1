import { isWalletSignature } from "@/lib/chain/erc1271";
import type { ChainScope } from "@/lib/chain/scope-of";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import { type LedgerParty, walletOf } from "@/lib/ledger/authority/ledger-record";
import { maySign } from "@/lib/ledger/authority/may-sign";
import { keyBehind } from "@/lib/ledger/prepare/signature";

/**
 * Who signed a `setPolicy` such that the ledger takes it for this party: the wallet that decides for it, or its owner's
 * spender where the ledger lets it. Null: it takes it from neither. Whether the version is the ledger's is not asked.
 *
 * @throws ApiError `unavailable` when a contract wallet has to be asked and the chain cannot be
 */
export async function authorityOf(
  scope: ChainScope,
  document: AuthorityDocumentOf<"set_policy">,
  party: LedgerParty,
): Promise<"wallet" | "spender" | null> {
  const { digest } = authorityRequest(scope, document);
  const key = await keyBehind(digest, document.signature);
  if (key && maySign({ struct: "SetPolicy" }, party, key, BigInt(document.deadline))) {
    return key === walletOf(party).toLowerCase() ? "wallet" : "spender";
  }
  return (await isWalletSignature(scope.chainId, walletOf(party), digest, document.signature)) ? "wallet" : null;
}
