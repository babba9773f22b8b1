import { LedgerError } from "../crypto/errors";
import type { Scope } from "../crypto/scope";
import type { Signer } from "../prepare/key-signer";
import {
  type AuthorityDocumentOf,
  AuthorityDocumentSchema,
  type AuthorityDraft,
  type AuthorityKind,
} from "./authority-documents";
import { authorityRequest } from "./authority-request";

/**
 * Signs a draft.
 *
 * @throws LedgerError for a draft that is not a valid document; nothing is signed then
 */
export async function signAuthority<K extends AuthorityKind>(
  scope: Scope,
  draft: AuthorityDraft<K>,
  sign: Signer,
): Promise<AuthorityDocumentOf<K>> {
  read({ ...draft, signature: "0x00" });
  const signature = await sign(authorityRequest(scope, draft as AuthorityDraft));
  return read({ ...draft, signature }) as AuthorityDocumentOf<K>;
}

function read(value: unknown) {
  const parsed = AuthorityDocumentSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [{ path = [], message = "" } = {}] = parsed.error.issues;
  throw new LedgerError(`This is not a document of the ledger: ${path.join(".")} ${message}.`);
}
