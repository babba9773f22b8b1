import { type Address, type Hex, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { NO_SPENDING, type PolicyOpening, policyCommitment } from "@/lib/ledger/crypto/policy-commitment";
import type { TakenPolicy } from "@/lib/ledger/encrypted/blind-state";
import { type PolicyDocument, policyDocumentHash } from "@/lib/ledger/policy/policy-document";
import { policyCommitmentSalt } from "@/lib/ledger/policy/policy-salts";
import { allowsOnChain, NO_RECIPIENT_PROOF, recipientsTree } from "@/lib/ledger/policy/recipients-tree";
import { fieldsOfPolicy } from "@/lib/policy/fields-of-policy";
import { documentOfPolicy, hasOpenRecipients, type PolicyAssetAddresses } from "@/lib/policy/policy-document";
import { DENY_ALL, type PolicyFields, type SpendPolicy } from "@/lib/policy/spend-policy";
import { HalcyonError } from "../api/errors";
import type { Operation, SpendPolicy as PolicyResource } from "../api/resources/transfers";
import type { Context } from "../context/context";
import { poll } from "../context/operation";
import type { Party } from "./party";
import { patchOfFields } from "./patch-of-fields";

/** The values stored with a policy by which its owner's client recognizes it on the ledger. */
interface PolicyOnLedger {
  /** The ledger's policy version that this policy creates. */
  version: string | number;
  /** The version over which the next policy must be signed, counting pending changes. */
  policy_version: string | number;
  salt: Hex;
  /** The addresses of its recipients at the time it was signed. */
  resolved: Address[];
  any_recipient: boolean;
  paused: boolean;
}

/** A policy with what the ledger has of it: of an agent, or of the account itself. */
export interface SessionPolicy extends Omit<PolicyResource, "ledger" | "operation"> {
  /** Whether the ledger enforces exactly this policy. `pending`: it is on its way to the ledger. */
  in_force: "yes" | "pending" | "no";
  ledger: PolicyOnLedger | null;
  operation: Operation | null;
}

/** A policy as it is shown, which the ledger has or not. */
export type ShownPolicy = Omit<SessionPolicy, "ledger" | "operation">;

/** Returns the path of a party's policy, with what the ledger has of it. */
export function policyPath({ type, query }: Pick<Party, "type" | "query">): string {
  return type === "agent" ? `/v1/agents/${query.agent}/spend-policy?include=ledger` : "/api/limits";
}

/** Converts a policy from the service to the form in which both sides evaluate it. */
export function policyOfResource(resource: PolicyFields): SpendPolicy {
  return { ...DENY_ALL, ...patchOfFields(resource) };
}

/** Returns the addresses of the assets that policies can limit. */
export async function policyAssets(context: Context): Promise<PolicyAssetAddresses> {
  const [usdg, eth] = await Promise.all([context.asset("USDG"), context.asset("ETH")]);
  return { USDG: usdg.address, ETH: eth.address };
}

/** A policy that the ledger enforces, with everything needed to prove a payment under it. */
export interface PolicyInForce {
  document: PolicyDocument;
  /** Its version and the hash of its document, as the ledger has them. */
  taken: TakenPolicy;
  /** The service's copy of the policy, confirmed by the chain including the recipients' addresses. */
  rows: SessionPolicy;
  /** Reports whether the ledger accepts a payment to this address that is signed by a key. */
  allows(recipient: Address): boolean;
  /** Returns the limits of an asset and their salt; null if nothing of it may be spent. */
  openingOf(asset: Address): PolicyOpening | null;
}

async function compared(context: Context, party: Party, rows: SessionPolicy): Promise<PolicyInForce | undefined> {
  return policyOnChain(context, party.address, rows, await policyAssets(context));
}

/** Compares the service's copy of a policy with what the ledger has; undefined if it is another. */
export async function policyOnChain(
  context: Context,
  holder: Address,
  rows: SessionPolicy,
  addresses: PolicyAssetAddresses,
): Promise<PolicyInForce | undefined> {
  const [scope, chain] = await Promise.all([context.scope(), context.chain()]);
  const record = await chain.policyOf(holder);
  const { ledger } = rows;
  if (!ledger) return undefined;
  const ref = { scope, holder, version: BigInt(ledger.version) };
  const policy = policyOfResource(rows);
  const salt = fromHex(ledger.salt);
  // The service alone may have paused the agent; then the policy on the ledger is not paused.
  const document = (ledger.paused ? [true, false] : [false])
    .map((paused) => documentOfPolicy(policy, paused, ref, addresses))
    .find((one) => policyDocumentHash(salt, one) === record.documentHash.toLowerCase());
  if (!document) return undefined;
  const tree = hasOpenRecipients(policy) ? null : recipientsTree(salt, document, ledger.resolved);
  if (tree && tree.root !== record.recipientsRoot.toLowerCase()) return undefined;
  return {
    document,
    taken: { version: record.policyVersion, hash: fromHex(record.documentHash) },
    rows,
    allows(recipient) {
      const proof = tree?.proofOf(recipient) ?? NO_RECIPIENT_PROOF;
      return allowsOnChain(record.recipientsRoot, holder, recipient, proof);
    },
    openingOf(asset) {
      const entry = document.assets.find((one) => isAddressEqual(one.asset, asset));
      return entry?.allowed ? { ...entry, salt: policyCommitmentSalt(salt, document, asset) } : null;
    },
  };
}

/**
 * Returns the policy that the ledger enforces for a party: the service's copy, all of it confirmed by the chain. Waits
 * for a pending policy.
 *
 * @throws HalcyonError `policy_not_in_force` when the service's copy is not the ledger's policy
 */
export async function policyInForceOf(context: Context, party: Party): Promise<PolicyInForce> {
  const session = await context.session();
  return poll(context, "The policy", async () => {
    const rows = await session.get<SessionPolicy>(policyPath(party));
    const found = await compared(context, party, rows);
    if (!found && !(rows.ledger && rows.in_force === "pending")) throw notInForce();
    return found;
  });
}

/**
 * Returns the service's copy of a policy. Whether it is in force is what the ledger says, except that a copy may be on
 * its way there.
 */
export async function shownPolicy(context: Context, party: Party): Promise<ShownPolicy> {
  const session = await context.session();
  const rows = await session.get<SessionPolicy>(policyPath(party));
  const found = await compared(context, party, rows);
  const { policy_id, updated_at, in_force: said } = rows;
  const in_force = found ? "yes" : said === "pending" ? said : "no";
  return { policy_id, updated_at, ...fieldsOfPolicy(rows), in_force };
}

/** Returns the policy commitment of an asset on the ledger. */
export function commitmentOf(policy: PolicyInForce, asset: Address): bigint {
  const opening = policy.openingOf(asset);
  return opening ? policyCommitment(opening) : NO_SPENDING;
}

/** The error for a policy that is not the ledger's. */
export function notInForce(): HalcyonError {
  return new HalcyonError(
    "policy_not_in_force",
    "The service's policy is not the ledger's, so nothing is paid under it. Set the policy again.",
  );
}
