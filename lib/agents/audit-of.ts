import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";

/**
 * Returns what the audit log keeps of a signed policy: enough to find it on chain and to show whose signature it was.
 */
export function auditOf({ policy_version, document_hash, signature }: AuthorityDocumentOf<"set_policy">) {
  return { policy_version, document_hash, signature };
}
