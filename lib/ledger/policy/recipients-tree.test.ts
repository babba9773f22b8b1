import fc from "fast-check";
import { type Address, encodeAbiParameters, encodePacked, type Hex, keccak256 } from "viem";
import { describe, expect, it } from "vitest";
import { address, bytes, scope } from "@/test/ledger/arbitraries";
import { toHex } from "../crypto/bytes";
import { leafSalt } from "./policy-salts";
import { ANY_RECIPIENT, allowsOnChain, NO_RECIPIENTS, recipientLeaf, recipientsTree } from "./recipients-tree";

const runs = { numRuns: 12 };
const ref = fc.record({ scope, holder: address, version: fc.bigInt(1n, 1000n) });
const people = fc.uniqueArray(address, { minLength: 1, maxLength: 20 });

/** OpenZeppelin's `processProof`, reimplemented. */
const climb = (path: readonly Hex[], leaf: Hex): Hex =>
  path.reduce((node, sibling) => {
    const pair = BigInt(node) < BigInt(sibling) ? ([node, sibling] as const) : ([sibling, node] as const);
    return keccak256(encodePacked(["bytes32", "bytes32"], pair));
  }, leaf);

describe("the tree of recipients", () => {
  it("proves each of its recipients by a path of one length, as OpenZeppelin reads it", () => {
    fc.assert(
      fc.property(ref, bytes(32), people, (r, salt, recipients) => {
        const tree = recipientsTree(salt, r, recipients);
        const depth = Math.ceil(Math.log(Math.max(recipients.length, 2)) / Math.log(4)) * 2;
        for (const recipient of recipients) {
          const proof = tree.proofOf(recipient);
          expect(proof?.path).toHaveLength(depth);
          if (!proof) continue;
          expect(allowsOnChain(tree.root, r.holder, recipient, proof)).toBe(true);
          const inner = keccak256(
            encodeAbiParameters(
              [{ type: "address" }, { type: "address" }, { type: "bytes32" }],
              [r.holder, recipient, toHex(leafSalt(salt, r, recipient))],
            ),
          );
          expect(climb(proof.path, keccak256(inner))).toBe(tree.root);
        }
      }),
      runs,
    );
  });

  it("takes no one else: no stranger, no other account, no node for a leaf, no leaf for a node", () => {
    fc.assert(
      fc.property(ref, bytes(32), people, address, (r, salt, recipients, stranger) => {
        fc.pre(!recipients.includes(stranger) && stranger !== r.holder);
        const tree = recipientsTree(salt, r, recipients);
        expect(tree.proofOf(stranger)).toBeNull();
        const [first] = recipients as [Address];
        const proof = tree.proofOf(first);
        if (!proof) throw new Error("the recipient has no proof");
        const allows = (account: Address, who: Address, change: Partial<typeof proof>) =>
          allowsOnChain(tree.root, account, who, { ...proof, ...change });
        expect(allows(r.holder, stranger, {})).toBe(false);
        expect(allows(stranger, first, {})).toBe(false);
        expect(allows(r.holder, first, { leafSalt: tree.root })).toBe(false);
        expect(allows(r.holder, first, { path: proof.path.slice(1) })).toBe(false);
        expect(allows(r.holder, first, { path: [...proof.path, tree.root] })).toBe(false);
        const leaf = recipientLeaf(r.holder, first, proof.leafSalt);
        expect(allows(r.holder, stranger, { path: [leaf, ...proof.path] })).toBe(false);
      }),
      runs,
    );
  });

  it("is the same whatever the order, case and repetition, and another for another salt, holder or version", () => {
    fc.assert(
      fc.property(ref, bytes(32), people, bytes(32), address, (r, salt, recipients, otherSalt, holder) => {
        fc.pre(toHex(salt) !== toHex(otherSalt) && holder !== r.holder);
        const { root } = recipientsTree(salt, r, recipients);
        const upper = recipients.map((one) => `0x${one.slice(2).toUpperCase()}` as Address);
        expect(recipientsTree(salt, r, [...upper.reverse(), ...recipients]).root).toBe(root);
        expect(recipientsTree(otherSalt, r, recipients).root).not.toBe(root);
        expect(recipientsTree(salt, { ...r, holder }, recipients).root).not.toBe(root);
        expect(recipientsTree(salt, { ...r, version: r.version + 1n }, recipients).root).not.toBe(root);
      }),
      runs,
    );
  });

  // Every proof reveals sibling leaves. Without the salt, no one may learn from them whether an address is allowed.
  it("shows no leaf that anyone without the salt can compute", () => {
    fc.assert(
      fc.property(ref, bytes(32), people, (r, salt, recipients) => {
        const tree = recipientsTree(salt, r, recipients);
        const guesses = recipients.flatMap((one) => [
          recipientLeaf(r.holder, one, NO_RECIPIENTS),
          recipientLeaf(r.holder, one, tree.root),
        ]);
        const shown = recipients.flatMap((one) => tree.proofOf(one)?.path ?? []);
        expect(shown.filter((node) => guesses.includes(node))).toEqual([]);
        const salts = recipients.map((one) => tree.proofOf(one)?.leafSalt);
        expect(new Set(salts).size).toBe(recipients.length);
      }),
      runs,
    );
  });

  it("without recipients allows no one, and the root one allows anyone", () => {
    fc.assert(
      fc.property(ref, bytes(32), address, bytes(32), (r, salt, who, any) => {
        const none = { leafSalt: toHex(any), path: [] };
        expect(recipientsTree(salt, r, []).root).toBe(NO_RECIPIENTS);
        expect(allowsOnChain(NO_RECIPIENTS, r.holder, who, none)).toBe(false);
        expect(allowsOnChain(ANY_RECIPIENT, r.holder, who, none)).toBe(true);
      }),
      runs,
    );
  });
});
