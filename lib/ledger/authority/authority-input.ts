import { z } from "zod";
import { type AuthorityDocumentOf, AuthorityDocumentSchema, type AuthorityKind } from "./authority-documents";

/** Returns the schema of a signed document of one kind, as the owner's client sends it. */
export function authorityInput<K extends AuthorityKind>(kind: K) {
  return AuthorityDocumentSchema.transform((document, context): AuthorityDocumentOf<K> => {
    if (document.kind === kind) return document as AuthorityDocumentOf<K>;
    context.addIssue({ code: "custom", path: ["kind"], message: `Send a document of kind ${kind}.`, input: undefined });
    return z.NEVER;
  });
}
