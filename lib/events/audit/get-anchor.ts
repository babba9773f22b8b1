import { and, desc, eq } from "drizzle-orm";
import type { Address, Hex } from "viem";
import { db } from "@/db/client";
import { auditAnchorLeaves, auditAnchors } from "@/db/schema/audit";
import type { SessionContext } from "@/lib/base/context/context";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { type AnchorProof, type AnchorTree, anchorTree } from "./anchor-tree";
import { signerOf } from "./signer-of";

/** A proof, the transaction whose calldata holds its root, and the account that sent the transaction. */
interface ProvenAnchor {
  proof: AnchorProof;
  txHash: Hex;
  account: Address;
}

/**
 * Returns the proof that the head of the owner's audit chain, as of the newest day that includes it, is under that
 * day's root on chain (docs/design/database.md).
 *
 * @throws ApiError `not_found` before the first anchor
 */
export async function getAnchor({ chainId, account }: SessionContext): Promise<ProvenAnchor> {
  const { rootId, position, day } = auditAnchorLeaves;
  const [anchor] = await db()
    .select({ day: auditAnchors.day, seed: auditAnchors.seed, txHash: auditAnchors.txHash, raw: auditAnchors.raw })
    .from(auditAnchorLeaves)
    .innerJoin(auditAnchors, and(eq(auditAnchors.chainId, auditAnchorLeaves.chainId), eq(auditAnchors.day, day)))
    .where(and(eq(auditAnchorLeaves.chainId, chainId), eq(rootId, account.rootId)))
    .orderBy(desc(position))
    .limit(1);
  const proof = anchor && (await treeOf(chainId, anchor)).prove(account.rootId);
  if (!proof) {
    throw new ApiError("not_found", "Nothing of this account is anchored yet. Its entries are within a day.");
  }
  return { proof, txHash: anchor.txHash, account: await signerOf(anchor.raw) };
}

const KEPT = 8;
const trees = new Map<string, Promise<AnchorTree>>();

/** Returns the tree of a day, built once for all callers: a day's leaves never change. */
function treeOf(chainId: ChainId, { day, seed }: { day: number; seed: Hex }): Promise<AnchorTree> {
  const name = `${chainId}/${day}/${seed}`;
  const known = trees.get(name);
  if (known) return known;
  if (trees.size >= KEPT) trees.clear();
  const { rootId, position, hash } = auditAnchorLeaves;
  const tree = db()
    .select({ rootId, position, hash })
    .from(auditAnchorLeaves)
    .where(and(eq(auditAnchorLeaves.chainId, chainId), eq(auditAnchorLeaves.day, day)))
    .then((heads) => anchorTree(chainId, day, seed, heads));
  trees.set(name, tree);
  tree.catch(() => trees.delete(name));
  return tree;
}

/** Returns the anchor as the API shows it. */
export function toAnchor({ proof, txHash, account }: ProvenAnchor) {
  return { ...anchorFields(proof), tx_hash: txHash, account };
}

function anchorFields({ chainId, day, position, hash, salt, path }: AnchorProof) {
  return {
    chain_id: chainId,
    day,
    position,
    hash,
    salt,
    path: path.map(({ neighbour, left }) => ({ neighbour, left })),
  };
}
