import { type Address, encodeAbiParameters, type Hex, keccak256 } from "viem";
import { concat, fromHex, toHex } from "../crypto/bytes";
import { LedgerError } from "../crypto/errors";
import { leafSalt, type PolicyRef, paddingLeaf } from "./policy-salts";

/** The root of a policy that allows no recipient. */
export const NO_RECIPIENTS: Hex = `0x${"00".repeat(32)}`;
/** The root of a policy with a wildcard: the ledger then checks amounts but no recipients. */
export const ANY_RECIPIENT: Hex = `0x${"00".repeat(31)}01`;

/** The number of leaves is a power of this, so that proofs reveal only roughly how many recipients there are. */
const LEAF_STEP = 4;

/** Proves that a recipient is in the tree (the ledger's `RecipientProof`). */
export interface RecipientProof {
  leafSalt: Hex;
  path: Hex[];
}

/** A placeholder for payments without a recipient check: in mode 2, and with ANY_RECIPIENT. */
export const NO_RECIPIENT_PROOF: RecipientProof = { leafSalt: NO_RECIPIENTS, path: [] };

/** The recipients of one policy, as a Merkle tree for OpenZeppelin's `MerkleProof`. */
export interface RecipientsTree {
  root: Hex;
  /** Returns the proof for a recipient; null for an address that is not in the tree. */
  proofOf(recipient: Address): RecipientProof | null;
}

/**
 * Returns keccak256(keccak256(abi.encode(account, recipient, leafSalt))). Hashing twice ensures that no inner node is a
 * leaf.
 */
export function recipientLeaf(account: Address, recipient: Address, salt: Hex): Hex {
  const types = [{ type: "address" }, { type: "address" }, { type: "bytes32" }] as const;
  return keccak256(keccak256(encodeAbiParameters(types, [account, recipient, salt])));
}

/**
 * Builds the tree of the given addresses, in any order and case, with or without duplicates. It is padded to a power of
 * four, and all leaves are sorted, so that their positions reveal nothing. Without recipients, the root is
 * NO_RECIPIENTS.
 */
export function recipientsTree(policySalt: Uint8Array, ref: PolicyRef, recipients: readonly Address[]): RecipientsTree {
  const addresses = [...new Set(recipients.map((address) => address.toLowerCase() as Address))];
  if (addresses.length === 0) return { root: NO_RECIPIENTS, proofOf: () => null };
  const saltOf = (recipient: Address) => toHex(leafSalt(policySalt, ref, recipient));
  const leafOf = new Map(addresses.map((one) => [one, recipientLeaf(ref.holder, one, saltOf(one))]));
  const padding = Array.from({ length: leavesFor(addresses.length) - addresses.length }, (_, index) =>
    toHex(paddingLeaf(policySalt, ref, index)),
  );
  const levels = [[...leafOf.values(), ...padding].sort()];
  for (let level = levels[0] ?? []; level.length > 1; levels.push(level)) level = parents(level);
  const [root] = levels.at(-1) ?? [];
  if (root === undefined) throw new LedgerError("A tree has a root.");
  return {
    root,
    proofOf(recipient) {
      const address = recipient.toLowerCase() as Address;
      const leaf = leafOf.get(address);
      return leaf === undefined ? null : { leafSalt: saltOf(address), path: pathOf(levels, leaf) };
    },
  };
}

/** Reports whether the ledger accepts the proof for this recipient under the root. */
export function allowsOnChain(root: Hex, account: Address, recipient: Address, proof: RecipientProof): boolean {
  if (BigInt(root) === 0n) return false;
  if (BigInt(root) === 1n) return true;
  const leaf = recipientLeaf(account, recipient, proof.leafSalt);
  return BigInt(proof.path.reduce(pairHash, leaf)) === BigInt(root);
}

function leavesFor(count: number): number {
  let leaves = LEAF_STEP;
  while (leaves < count) leaves *= LEAF_STEP;
  return leaves;
}

/** Returns keccak256 of two nodes, the smaller one first. */
function pairHash(a: Hex, b: Hex): Hex {
  const [low, high] = BigInt(a) < BigInt(b) ? [a, b] : [b, a];
  return keccak256(concat(fromHex(low), fromHex(high)));
}

function parents(level: readonly Hex[]): Hex[] {
  const above: Hex[] = [];
  for (let at = 0; at + 1 < level.length; at += 2) above.push(pairHash(level[at] as Hex, level[at + 1] as Hex));
  return above;
}

function pathOf(levels: readonly Hex[][], leaf: Hex): Hex[] {
  let at = levels[0]?.indexOf(leaf) ?? -1;
  return levels.slice(0, -1).map((level) => {
    const sibling = level[at ^ 1] as Hex;
    at >>= 1;
    return sibling;
  });
}
