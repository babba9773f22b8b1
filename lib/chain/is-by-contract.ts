import type { AuthorityDocument } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { keyBehind } from "@/lib/ledger/prepare/signature";

/**
 * Reports whether a document that the ledger accepts is signed by a contract wallet (ERC-1271), which takes more gas.
 * That is the case if it is signed by none of the `keys` that may sign it.
 */
export async function isByContract(
  scope: Scope,
  document: AuthorityDocument,
  keys: readonly string[],
): Promise<boolean> {
  const key = await keyBehind(authorityRequest(scope, document).digest, document.signature);
  return key === null || !keys.some((one) => one.toLowerCase() === key);
}
