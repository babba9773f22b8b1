import type { Hex } from "viem";
import { type PolicyDocument, policyDocumentHash } from "../policy/policy-document";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDocumentOf } from "./authority-documents";

/** The ledger's policy of a holder at the newest block (its `policyOf` view). */
export interface LedgerPolicy {
  policyVersion: bigint;
  documentHash: Hex;
}

/**
 * Whether a policy that was read from somewhere is the one that the ledger enforces. A change that anyone made to it
 * elsewhere is found here, before a payment is decided by it. The hash alone decides: it covers the version that
 * `setPolicy` made, and the ledger's own may be later, for a new signer raises it as well.
 *
 * @param underWay the newest `setPolicy` that was sent and has not failed. While the ledger does not have it yet, it
 *   counts in place of the ledger's. The caller has checked its signature and that its signer may sign it (`maySign`)
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
