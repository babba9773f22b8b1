import type { AuthorityDocument } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { keyBehind } from "@/lib/ledger/prepare/signature";

/**
 * Whether a document that the ledger takes is signed by the code of a wallet (ERC-1271), which burns more gas: by none of
 * the `keys` that may sign it.
 */
export async function isByContract(
  scope: Scope,
  document: AuthorityDocument,
  keys: readonly string[],
): Promise<boolean> {
  const key = await keyBehind(authorityRequest(scope, document).digest, document.signature);
  return key === null || !keys.some((one) => one.toLowerCase() === key);
}
