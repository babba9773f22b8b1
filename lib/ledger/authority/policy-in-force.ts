import type { Hex } from "viem";
import { type PolicyDocument, policyDocumentHash } from "../policy/policy-document";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDocumentOf } from "./authority-documents";

/** A holder's policy on the ledger in the newest block (its `policyOf` view). */
export interface LedgerPolicy {
  policyVersion: bigint;
  documentHash: Hex;
}

/**
 * Reports whether a policy is the one that the ledger enforces. This detects changes made elsewhere, for example in a
 * database, before a payment is decided by them. Only the hash is compared. It covers the version that `setPolicy`
 * made; the ledger's own version may be later, because a new signer raises it too.
 *
 * @param underWay the newest `setPolicy` that was sent and has not failed. Until the ledger has it, it counts instead
 *   of the ledger's policy. The caller has verified its signature and that its signer may sign it (`maySign`)
 */
export function policyInForce(
  policySalt: Uint8Array,
  document: PolicyDocument,
  onChain: LedgerPolicy,
  underWay: AuthorityDocumentOf<"set_policy"> | null = null,
): boolean {
  const hash = policyDocumentHash(policySalt, document);
  if (!underWay || BigInt(underWay.policy_version) < onChain.policyVersion) {
    return hash === onChain.documentHash.toLowerCase();
  }
  return hash === underWay.document_hash && underWay.account === lowerCase(document.holder);
}
