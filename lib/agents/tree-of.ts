import { keccak256, stringToHex } from "viem";
import type { PolicyDocument } from "@/lib/ledger/policy/policy-document";
import {
  ANY_RECIPIENT,
  NO_RECIPIENT_PROOF,
  type RecipientsTree,
  recipientsTree,
} from "@/lib/ledger/policy/recipients-tree";
import type { PolicySetting } from "./policy-row";

/** How many trees are cached. Every payment needs one, and a tree of a thousand recipients takes 0.1 s to build. */
const MOST_KEPT = 100;
const kept = new Map<string, RecipientsTree>();

/** Returns the tree of recipients of a policy as it was signed. Cached under a hash of everything it depends on. */
export function treeOf({ salt, resolved }: PolicySetting, document: PolicyDocument): RecipientsTree {
  if (resolved === "anyone") return { root: ANY_RECIPIENT, proofOf: () => NO_RECIPIENT_PROOF };
  const { holder, version, scope } = document;
  const name = [Buffer.from(salt).toString("hex"), scope.chainId, scope.ledger, holder, version, ...resolved].join(" ");
  const key = keccak256(stringToHex(name));
  const known = kept.get(key);
  if (known) return known;
  const tree = recipientsTree(salt, document, resolved);
  const [oldest] = kept.keys();
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest);
  kept.set(key, tree);
  return tree;
}
