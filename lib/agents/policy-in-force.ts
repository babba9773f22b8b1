import { eq } from "drizzle-orm";
import type { Address } from "viem";
import { db, type Tx } from "@/db/client";
import { operations } from "@/db/schema/chain";
import { assetBySymbol } from "@/lib/assets";
import { ledgerAbi } from "@/lib/chain/abi/ledger";
import { batchingClient, chainEnv } from "@/lib/chain/clients";
import { soon } from "@/lib/chain/soon";
import { ApiError } from "@/lib/errors";
import type { AuthorityDocumentOf } from "@/lib/ledger/authority/authority-documents";
import { policyInForce } from "@/lib/ledger/authority/policy-in-force";
import { hexToWord } from "@/lib/ledger/crypto/field";
import { NO_SPENDING, type PolicyOpening, policyWord } from "@/lib/ledger/crypto/policy-word";
import type { Scope } from "@/lib/ledger/crypto/scope";
import { type PolicyDocument, policyDocumentHash } from "@/lib/ledger/policy/policy-document";
import { policyWordSalt } from "@/lib/ledger/policy/policy-salts";
import type { RecipientsTree } from "@/lib/ledger/policy/recipients-tree";
import type { ChainId } from "@/lib/network";
import { documentOfPolicy, type PolicyAssetAddresses } from "@/lib/policy/policy-document";
import { authorityOf } from "./authority-of";
import type { LockedPolicy } from "./lock-agent";
import { type PolicyHolder, partyAtLatest } from "./party-at-latest";
import {
  type PolicyOnLedger,
  type PolicyRead,
  type PolicyUnderWay,
  readPolicy,
  setPolicyOf,
  stillUnderWay,
} from "./policy-under-way";
import { treeOf } from "./tree-of";

/** A policy that the ledger enforces, opened: what payments under it are proved with. */
export interface PolicyInForce {
  /** What the payment is signed over: the ledger's version when it is mined. */
  policyVersion: bigint;
  document: PolicyDocument;
  salt: Uint8Array;
  /** Of the recipients the ledger lets it pay. */
  tree: RecipientsTree;
  /** Operations under way that make this policy: a payment goes by the relayer of the first, behind it. */
  follows: string[];
  /** The policy word of an asset. */
  wordOf(asset: Address): bigint;
  /** Its opening; null where nothing may be spent. */
  openingOf(asset: Address): PolicyOpening | null;
}

/** How the rows of a policy stand to the ledger. */
export interface PolicyStanding extends PolicyUnderWay {
  /** `pending`: its `setPolicy` is under way. `no`: the ledger enforces another policy, or none. */
  inForce: "yes" | "pending" | "no";
  /** Whether the owner has signed these rows and nothing since: true also when their `setPolicy` failed. */
  isSigned: boolean;
}

/** The refusal while the ledger enforces another policy than the service's rows say. */
export function policyNotInForce(): ApiError {
  return new ApiError(
    "policy_not_in_force",
    "The ledger does not have this policy. Its owner has to sign it again: change it with every field, or save it in the " +
      "dashboard or with `halcyon policy set`.",
  );
}

/**
 * The policy of a holder as it may be decided by, under its lock: recomputed from the rows, and the same as the ledger's
 * at the newest block, or as that of the newest `setPolicy` under way. So a change that anyone made to the rows alone is
 * found before anything is paid by it. Call it for what is active: an agent that is paused or ended is refused by the rows.
 *
 * @param read before the transaction; why it could not be read, where that is
 * @throws ApiError `policy_not_in_force`; ReadAgain when what was read no longer holds; why nothing was read
 */
export async function requirePolicyInForce(
  tx: Pick<Tx, "execute">,
  read: PolicyRead | Error,
  locked: LockedPolicy,
): Promise<PolicyInForce> {
  if (read instanceof Error) throw read;
  const { scope, holder, ...underWay } = await stillUnderWay(tx, read);
  const rows = readRows(scope, holder, locked, locked.status !== "active");
  if (!rows || !isInForce(rows, underWay.onLedger, underWay.setPolicy)) throw policyNotInForce();
  const { document, tree } = rows;
  const openingOf = (asset: Address): PolicyOpening | null => {
    const limits = document.assets.find((one) => one.asset === asset.toLowerCase());
    return limits?.allowed ? { ...limits, salt: policyWordSalt(locked.salt, document, asset) } : null;
  };
  const wordOf = (asset: Address) => {
    const opening = openingOf(asset);
    return opening ? policyWord(opening) : NO_SPENDING;
  };
  const { policyVersion, follows } = underWay;
  return { policyVersion, document, salt: locked.salt, tree, follows, wordOf, openingOf };
}

/**
 * Policy word of an asset as the ledger has it when the next payment is mined: what a payment by the wallet, which no
 * policy rules, is signed over. It does not matter what the rows say.
 */
export async function newestPolicyWord({ scope, holder, setPolicy }: PolicyRead, asset: Address): Promise<bigint> {
  const { chainId } = scope;
  const named = setPolicy?.words[setPolicy.assets.indexOf(asset.toLowerCase() as Address)];
  if (named) return hexToWord(named);
  const query = { address: chainEnv(chainId).ledger, abi: ledgerAbi, functionName: "policyWordOf" } as const;
  return soon(chainId, () => batchingClient(chainId).readContract({ ...query, args: [holder.address, asset] }));
}

/** What is read before a transaction that looks at how rows stand. */
export interface StandingRead extends PolicyRead {
  /** The `setPolicy` that rows came with and that did not get to the ledger, while nothing newer has. */
  failed: AuthorityDocumentOf<"set_policy"> | null;
}

/** As `readPolicy`, with what `policyStanding` asks for. */
export async function readStanding(chainId: ChainId, holder: PolicyHolder): Promise<StandingRead> {
  const read = await readPolicy(chainId, holder);
  return { ...read, failed: await signedBefore(read) };
}

/**
 * How a policy's rows stand to the ledger, under their lock. Rows that are paused while the ledger's policy is not stand
 * well: the service alone has paused them.
 *
 * @throws ReadAgain when what was read no longer holds
 */
export async function policyStanding(
  tx: Pick<Tx, "execute">,
  read: StandingRead,
  locked: LockedPolicy,
): Promise<PolicyStanding> {
  const { scope, holder, onLedger, policyVersion, setPolicy, follows } = await stillUnderWay(tx, read);
  const underWay = { onLedger, policyVersion, setPolicy, follows };
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

/** What a policy's rows say on the ledger. */
interface ReadRows {
  salt: Uint8Array;
  document: PolicyDocument;
  tree: RecipientsTree;
}

/** Null for rows that no policy has: nothing is paid by them. */
function readRows(scope: Scope, holder: PolicyHolder, locked: LockedPolicy, paused: boolean): ReadRows | null {
  try {
    const document = documentOf(scope, holder, locked, paused);
    policyDocumentHash(locked.salt, document);
    return { salt: locked.salt, document, tree: treeOf(locked, document) };
  } catch {
    return null; // a function of the rows alone: they have no document
  }
}

/** The document says nothing of what recipients resolved to: the root is compared as well. */
function isInForce(
  { salt, document, tree }: ReadRows,
  onLedger: PolicyOnLedger,
  underWay: AuthorityDocumentOf<"set_policy"> | null,
): boolean {
  if (!policyInForce(salt, document, onLedger, underWay)) return false;
  return tree.root === (underWay?.recipients_root ?? onLedger.recipientsRoot);
}

/** The ledger's document of a policy's rows. */
export function documentOf(
  scope: Scope,
  { address }: Pick<PolicyHolder, "address">,
  { policy, version }: Pick<LockedPolicy, "policy" | "version">,
  paused: boolean,
): PolicyDocument {
  return documentOfPolicy(policy, paused, { scope, holder: address, version }, policyAssets(scope.chainId as ChainId));
}

/** Addresses of the assets that a policy speaks of. */
export function policyAssets(chainId: ChainId): PolicyAssetAddresses {
  return { USDG: assetBySymbol(chainId, "USDG").address, ETH: assetBySymbol(chainId, "ETH").address };
}
