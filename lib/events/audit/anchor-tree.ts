import { sha256 } from "@noble/hashes/sha2.js";
import type { Hex } from "viem";
import { bigintToBytes, concat, equalBytes, fromHex, toHex, utf8 } from "@/lib/ledger/crypto/bytes";

/** The head of one chain of the audit log, as a day's anchor holds it. */
export interface AnchoredHead {
  /** Id of the owner's account. */
  rootId: string;
  position: number;
  hash: Hex;
}

/** Proves to an owner that the head of their chain is under a day's root: the leaf's salt, and its Merkle path. */
export interface AnchorProof {
  chainId: number;
  /** Days since 1970-01-01, UTC. */
  day: number;
  position: number;
  hash: Hex;
  salt: Hex;
  /** From the leaf upwards. `left` means that the neighbor is hashed first. */
  path: { neighbour: Hex; left: boolean }[];
}

/** Trees with fewer chains are padded to this size, so that the length of a path doesn't reveal how many there are. */
const LEAST_LEAVES = 1_024;
const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

const number = (value: number) => bigintToBytes(BigInt(value), 8);

/**
 * Returns a leaf's salt, derived from the day's 32 random bytes, so that no one can test for an account by hashing its
 * id.
 */
const saltOf = (seed: Uint8Array, rootId: string): Uint8Array => sha256(concat(utf8("salt"), seed, utf8(rootId)));
const filler = (seed: Uint8Array, index: number): Uint8Array => sha256(concat(utf8("fill"), seed, number(index)));

function leafOf(chainId: number, day: number, { rootId, position, hash }: AnchoredHead, salt: Uint8Array): Uint8Array {
  const fields = [number(chainId), number(day), number(position), fromHex(hash), utf8(rootId)];
  return sha256(concat(LEAF, salt, ...fields));
}

const nodeOf = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(concat(NODE, left, right));

/**
 * Returns the levels of the tree, leaves first. Leaves and padding are sorted by value, so that their order reveals
 * nothing.
 */
function levelsOf(chainId: number, day: number, seed: Uint8Array, heads: readonly AnchoredHead[]): Uint8Array[][] {
  const size = Math.max(LEAST_LEAVES, 2 ** Math.ceil(Math.log2(Math.max(1, heads.length))));
  const leaves = heads.map((head) => leafOf(chainId, day, head, saltOf(seed, head.rootId)));
  for (let index = leaves.length; index < size; index++) leaves.push(filler(seed, index));
  const levels = [leaves.sort((a, b) => Buffer.compare(a, b))];
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const next: Uint8Array[] = [];
    for (let i = 0; i < level.length; i += 2) {
      const [left, right] = [level[i], level[i + 1]];
      if (left && right) next.push(nodeOf(left, right));
    }
    levels.push(next);
    level = next;
  }
  return levels;
}

/** The Merkle tree of a day. It uses SHA-256 throughout, with a first byte that distinguishes leaves from nodes. */
export interface AnchorTree {
  root: Hex;
  /** Returns the path from the head of an owner's chain to the root, or null if the day has none of this owner's. */
  prove(rootId: string): AnchorProof | null;
}

/**
 * Builds the Merkle tree of a day.
 *
 * @param seed the day's 32 random bytes
 */
export function anchorTree(chainId: number, day: number, seed: Hex, heads: readonly AnchoredHead[]): AnchorTree {
  const levels = levelsOf(chainId, day, fromHex(seed), heads);
  const byRoot = new Map(heads.map((head) => [head.rootId, head]));
  return {
    root: toHex(levels.at(-1)?.[0] ?? new Uint8Array(32)),
    prove(rootId) {
      const head = byRoot.get(rootId);
      if (!head) return null;
      const salt = saltOf(fromHex(seed), rootId);
      const leaf = leafOf(chainId, day, head, salt);
      let index = levels[0]?.findIndex((one) => equalBytes(one, leaf)) ?? 0;
      const path = levels.slice(0, -1).map((level) => {
        const left = index % 2 === 1;
        const neighbour = level[left ? index - 1 : index + 1] ?? new Uint8Array(32);
        index = Math.floor(index / 2);
        return { neighbour: toHex(neighbour), left };
      });
      return { chainId, day, position: head.position, hash: head.hash, salt: toHex(salt), path };
    },
  };
}

/**
 * Returns the root that a proof leads to. Owners run this themselves: they compare the root with the one in the
 * anchor's transaction, and the hash with their own entry at that position.
 */
export function rootOfProof(rootId: string, { chainId, day, position, hash, salt, path }: AnchorProof): Hex {
  let node = leafOf(chainId, day, { rootId, position, hash }, fromHex(salt));
  for (const { neighbour, left } of path) {
    node = left ? nodeOf(fromHex(neighbour), node) : nodeOf(node, fromHex(neighbour));
  }
  return toHex(node);
}
