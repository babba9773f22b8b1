import type { Address, Hex } from "viem";
import { NO_SPENDING, policyCommitment } from "../crypto/policy-commitment";
import { type PolicyDocument, policyDocumentHash } from "./policy-document";
import { policyCommitmentSalt } from "./policy-salts";
import { ANY_RECIPIENT, NO_RECIPIENT_PROOF, type RecipientsTree, recipientsTree } from "./recipients-tree";

/** The fields of `setPolicy`, and the tree of recipients from which payments take their proofs. */
interface PolicyCall {
  recipientsRoot: Hex;
  documentHash: Hex;
  /** All assets of the document, in its order, so that none keeps the commitment of an earlier policy. */
  assets: Address[];
  commitments: bigint[];
  tree: RecipientsTree;
}

/**
 * Returns the fields of `setPolicy` for a policy document.
 *
 * @param resolved the addresses of its recipients, without entries that resolve to none; `anyone` if the policy has a
 *   wildcard, so that the ledger checks no recipient
 */
export function policyCall(
  policySalt: Uint8Array,
  document: PolicyDocument,
  resolved: readonly Address[] | "anyone",
): PolicyCall {
  const tree =
    resolved === "anyone"
      ? { root: ANY_RECIPIENT, proofOf: () => NO_RECIPIENT_PROOF }
      : recipientsTree(policySalt, document, resolved);
  return {
    recipientsRoot: tree.root,
    documentHash: policyDocumentHash(policySalt, document),
    assets: document.assets.map(({ asset }) => asset),
    commitments: document.assets.map(({ asset, allowed, ...limits }) =>
      allowed ? policyCommitment({ ...limits, salt: policyCommitmentSalt(policySalt, document, asset) }) : NO_SPENDING,
    ),
    tree,
  };
}
