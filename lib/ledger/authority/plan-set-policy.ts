import type { Address } from "viem";
import { wordToHex } from "../crypto/field";
import { policyCall } from "../policy/policy-call";
import type { PolicyDocument } from "../policy/policy-document";
import type { RecipientsTree } from "../policy/recipients-tree";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDraft } from "./authority-documents";

/** A policy to be set: the draft that is signed, and the tree whose proofs the payments under it show. */
export interface PolicyPlan {
  draft: AuthorityDraft<"set_policy">;
  tree: RecipientsTree;
}

/**
 * Plans `setPolicy` for a document, which names the version that it makes. `resolved` and `policySalt` as in
 * `policyCall`. With `ruled` false an account leaves its policy, and its keys pay without one; an agent never does.
 *
 * @throws LedgerError for a document that has no one form (`writePolicyDocument`)
 */
export function planSetPolicy(
  policySalt: Uint8Array,
  document: PolicyDocument,
  resolved: readonly Address[] | "anyone",
  deadline: bigint,
  ruled = true,
): PolicyPlan {
  const { tree, recipientsRoot, documentHash, assets, words } = policyCall(policySalt, document, resolved);
  const draft = {
    kind: "set_policy" as const,
    account: lowerCase(document.holder),
    ruled,
    recipients_root: recipientsRoot,
    document_hash: documentHash,
    assets: assets.map(lowerCase),
    words: words.map(wordToHex),
    policy_version: (document.version - 1n).toString(),
    deadline: deadline.toString(),
  };
  return { draft, tree };
}
