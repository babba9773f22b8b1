import type { AuthorityDocumentOf, AuthorityDraft, AuthorityKind } from "@/lib/ledger/authority/authority-documents";
import { authorityRequest } from "@/lib/ledger/authority/authority-request";
import type { Scope } from "@/lib/ledger/crypto/scope";
import type { Signer } from "@/lib/ledger/prepare/key-signer";

/** Signs a draft of a ledger call. */
export async function signDraft<K extends AuthorityKind>(
  scope: Scope,
  draft: AuthorityDraft<K>,
  sign: Signer,
): Promise<AuthorityDocumentOf<K>> {
  const signature = await sign(authorityRequest(scope, draft as AuthorityDraft));
  // A document is a draft plus its signature, but TypeScript can't follow that through the union.
  return { ...draft, signature } as unknown as AuthorityDocumentOf<K>;
}
