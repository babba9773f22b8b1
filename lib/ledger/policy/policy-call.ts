import type { Address, Hex } from "viem";
import { NO_SPENDING, policyWord } from "../crypto/policy-word";
import { type PolicyDocument, policyDocumentHash } from "./policy-document";
import { policyWordSalt } from "./policy-salts";
import { ANY_RECIPIENT, NO_RECIPIENT_PROOF, type RecipientsTree, recipientsTree } from "./recipients-tree";

/** What `setPolicy` is called with, and the tree whose proofs the payments then show. */
export interface PolicyCall {
  recipientsRoot: Hex;
  documentHash: Hex;
  /** Every asset of the document, in its order: none keeps the word of an earlier policy. */
  assets: Address[];
  words: bigint[];
  tree: RecipientsTree;
}

/**
 * The fields of `setPolicy` for a document. `resolved` are the addresses of its recipients; an entry that resolves to
 * none is not among them. With `anyone`, because the policy has a wildcard, the ledger checks no recipient.
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
    words: document.assets.map(({ asset, allowed, ...limits }) =>
      allowed ? policyWord({ ...limits, salt: policyWordSalt(policySalt, document, asset) }) : NO_SPENDING,
    ),
    tree,
  };
}
