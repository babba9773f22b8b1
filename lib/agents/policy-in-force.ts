import { eq } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { assetBySymbol } from "@/lib/base/assets";
import { ApiError } from "@/lib/base/errors";
import type { ChainId } from "@/lib/base/network";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { batchingClient, chainEnv } from "@/lib/chain/clients";
import { withRpcTimeout } from "@/lib/chain/with-rpc-timeout";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { policyInForce } from "@/lib/ledger/authority/policy-in-force";
import { hexToCommitment } from "@/lib/ledger/crypto/field";
import { NO_SPENDING, type PolicyOpening, policyCommitment } from "@/lib/ledger/crypto/policy-commitment";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { type PolicyDocument, policyDocumentHash } from "@/lib/ledger/policy/policy-document";
import { policyCommitmentSalt } from "@/lib/ledger/policy/policy-salts";
import type { RecipientsTree } from "@/lib/ledger/policy/recipients-tree";
import { documentOfPolicy, type PolicyAssetAddresses } from "@/lib/policy/policy-document";
import { authorityOf } from "./authority-of";
import type { LockedPolicy } from "./lock-agent";
import { type PolicyHolder, partyAtLatest } from "./party-at-latest";
import {
  type PendingPolicy,
  type PolicyOnLedger,
  type PolicyRead,
  readPolicy,
  setPolicyOf,
  stillPending,
} from "./pending-policy";
import { treeOf } from "./tree-of";

/** A policy that the ledger enforces, in clear: the input of proofs for payments under it. */
export interface PolicyInForce {
  /** The version that the payment is signed over: the ledger's when the payment is mined. */
  policyVersion: bigint;
  document: PolicyDocument;
  salt: Uint8Array;
  /** The tree of recipients that the ledger lets it pay. */
  tree: RecipientsTree;
  /**
   * Operations under way that set this policy. A payment must use the relayer of the first one, to be mined after it.
   */
  follows: string[];
  /** Returns the policy commitment of an asset. */
  commitmentOf(asset: Address): bigint;
  /** Returns the opening of an asset's policy commitment; null if nothing may be spent in this asset. */
  openingOf(asset: Address): PolicyOpening | null;
}

/** How the rows of a policy compare to the ledger. */
export interface PolicyStanding extends PendingPolicy {
  /** `pending`: its `setPolicy` is under way. `no`: the ledger enforces another policy, or none. */
  inForce: "yes" | "pending" | "no";
  /** Whether these rows are the last thing the owner signed, even if their `setPolicy` failed. */
  isSigned: boolean;
}

/** Returns the error for when the ledger enforces another policy than the database rows say. */
export function policyNotInForce(): ApiError {
  return new ApiError(
    "policy_not_in_force",
    "The ledger does not have this policy. Its owner has to sign it again: change it with every field, or save it in the " +
      "dashboard or with `halcyon policy set`.",
  );
}

/**
 * Returns the policy by which a holder's payments are decided. Call it under the policy's lock. The policy is
 * recomputed from the rows and must equal the ledger's in the newest block, or the newest `setPolicy` under way. So a
 * change that someone made only in the database is detected before anything is paid. Call it for active holders only:
 * paused and ended agents are refused by their rows.
 *
 * @param read what was read before the transaction, or the error why it could not be read
 * @throws ApiError `policy_not_in_force`; ReadAgain if what was read is outdated; the error in `read`
 */
export async function requirePolicyInForce(
  tx: Pick<Tx, "execute">,
  read: PolicyRead | Error,
  locked: LockedPolicy,
): Promise<PolicyInForce> {
  if (read instanceof Error) throw read;
  const { scope, holder, ...underWay } = await stillPending(tx, read);
  const rows = readRows(scope, holder, locked, locked.status !== "active");
  if (!rows || !isInForce(rows, underWay.onLedger, underWay.setPolicy)) throw policyNotInForce();
  const { document, tree } = rows;
  const openingOf = (asset: Address): PolicyOpening | null => {
    const limits = document.assets.find((one) => one.asset === asset.toLowerCase());
    return limits?.allowed ? { ...limits, salt: policyCommitmentSalt(locked.salt, document, asset) } : null;
  };
  const commitmentOf = (asset: Address) => {
    const opening = openingOf(asset);
    return opening ? policyCommitment(opening) : NO_SPENDING;
  };
  const { policyVersion, follows } = underWay;
  return { policyVersion, document, salt: locked.salt, tree, follows, commitmentOf, openingOf };
}

/**
 * Returns the policy commitment of an asset that the ledger will have when the next payment is mined. Payments by the
 * wallet, which no policy limits, are signed over it. The rows in the database don't matter here.
 */
export async function newestPolicyCommitment(
  { scope, holder, setPolicy }: PolicyRead,
  asset: Address,
): Promise<bigint> {
  const { chainId } = scope;
  const named = setPolicy?.commitments[setPolicy.assets.indexOf(asset.toLowerCase() as Address)];
  if (named) return hexToCommitment(named);
  const query = { address: chainEnv(chainId).ledger, abi: ledgerAbi, functionName: "policyCommitmentOf" } as const;
  return withRpcTimeout(chainId, () =>
    batchingClient(chainId).readContract({ ...query, args: [holder.address, asset] }),
  );
}

/** What is read before a transaction that checks how the rows compare to the ledger. */
export interface StandingRead extends PolicyRead {
  /** The `setPolicy` of the current rows, if it failed to reach the ledger and nothing newer has replaced it. */
  failed: AuthorityDocumentOf<"set_policy"> | null;
}

/** Does the same as `readPolicy`, and also reads what `policyStanding` needs. */
export async function readStanding(chainId: ChainId, holder: PolicyHolder): Promise<StandingRead> {
  const read = await readPolicy(chainId, holder);
  return { ...read, failed: await signedBefore(read) };
}

/**
 * Compares a policy's rows with the ledger, under their lock. Rows that are paused count as equal to a policy on the
 * ledger that is not paused: the service may pause alone.
 *
 * @throws ReadAgain if what was read is outdated
 */
export async function policyStanding(
  tx: Pick<Tx, "execute">,
  read: StandingRead,
  locked: LockedPolicy,
): Promise<PolicyStanding> {
  const { scope, holder, onLedger, policyVersion, setPolicy, follows, isGuarding } = await stillPending(tx, read);
  const underWay = { onLedger, policyVersion, setPolicy, follows, isGuarding };
  const stands = (against: AuthorityDocumentOf<"set_policy"> | null) =>
    (locked.status === "active" ? [false] : [true, false]).some((paused) => {
      const rows = readRows(scope, holder, locked, paused);
      return rows !== null && isInForce(rows, onLedger, against);
    });
  if (stands(setPolicy)) return { ...underWay, inForce: setPolicy ? "pending" : "yes", isSigned: true };
  return { ...underWay, inForce: "no", isSigned: read.failed !== null && stands(read.failed) };
}

async function signedBefore({ scope, holder, setBy, onLedger }: PolicyRead): Promise<StandingRead["failed"]> {
  if (setBy === null) return null;
  const [row] = await db()
    .select({ data: operations.data, policyVersion: operations.policyVersion })
    .from(operations)
    .where(eq(operations.id, setBy));
  const document = row ? setPolicyOf(row) : null;
  if (!document || BigInt(document.policy_version) !== onLedger.policyVersion) return null;
  const party = await partyAtLatest(scope.chainId, holder);
  return (await authorityOf(scope, document, party)) === null ? null : document;
}

/** A policy's rows in the form that the ledger has. */
interface ReadRows {
  salt: Uint8Array;
  document: PolicyDocument;
  tree: RecipientsTree;
}

/** Returns null for rows that are not a valid policy; nothing can be paid by them. */
function readRows(scope: Scope, holder: PolicyHolder, locked: LockedPolicy, paused: boolean): ReadRows | null {
  try {
    const document = documentOf(scope, holder, locked, paused);
    policyDocumentHash(locked.salt, document);
    return { salt: locked.salt, document, tree: treeOf(locked, document) };
  } catch {
    return null; // depends on the rows alone: they have no valid document
  }
}

/**
 * Reports whether rows match the ledger or a `setPolicy` under way. The document doesn't contain the addresses that
 * recipients resolved to, so the root of their tree is compared too.
 */
function isInForce(
  { salt, document, tree }: ReadRows,
  onLedger: PolicyOnLedger,
  underWay: AuthorityDocumentOf<"set_policy"> | null,
): boolean {
  if (!policyInForce(salt, document, onLedger, underWay)) return false;
  return tree.root === (underWay?.recipients_root ?? onLedger.recipientsRoot);
}

/** Returns the document that the ledger has for a policy's rows. */
export function documentOf(
  scope: Scope,
  { address }: Pick<PolicyHolder, "address">,
  { policy, version }: Pick<LockedPolicy, "policy" | "version">,
  paused: boolean,
): PolicyDocument {
  return documentOfPolicy(policy, paused, { scope, holder: address, version }, policyAssets(scope.chainId as ChainId));
}

/** Returns the addresses of the assets that policies can name. */
function policyAssets(chainId: ChainId): PolicyAssetAddresses {
  return { USDG: assetBySymbol(chainId, "USDG").address, ETH: assetBySymbol(chainId, "ETH").address };
}
