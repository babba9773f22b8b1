import type { Address } from "viem";
import { commitmentToHex } from "../crypto/field";
import { policyCall } from "../policy/policy-call";
import type { PolicyDocument } from "../policy/policy-document";
import type { RecipientsTree } from "../policy/recipients-tree";
import { lowerCase } from "../prepare/next-state";
import type { AuthorityDraft } from "./authority-documents";

/** A policy to be set: the draft to sign, and the tree of recipients from which payments under it take their proofs. */
interface PolicyPlan {
  draft: AuthorityDraft<"set_policy">;
  tree: RecipientsTree;
}

/**
 * Plans the `setPolicy` of a policy document, which names the new version. For `resolved` and `policySalt`, see
 * `policyCall`.
 *
 * @param limited false to remove an account's policy, so that its keys pay without one; always true for an agent
 * @throws LedgerError for a document that has no canonical form (`writePolicyDocument`)
 */
export function planSetPolicy(
  policySalt: Uint8Array,
  document: PolicyDocument,
  resolved: readonly Address[] | "anyone",
  deadline: bigint,
  limited = true,
): PolicyPlan {
  const { tree, recipientsRoot, documentHash, assets, commitments } = policyCall(policySalt, document, resolved);
  const draft = {
    kind: "set_policy" as const,
    account: lowerCase(document.holder),
    limited,
    recipients_root: recipientsRoot,
    document_hash: documentHash,
    assets: assets.map(lowerCase),
    commitments: commitments.map(commitmentToHex),
    policy_version: (document.version - 1n).toString(),
    deadline: deadline.toString(),
  };
  return { draft, tree };
}
