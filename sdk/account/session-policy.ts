import { type Address, type Hex, isAddressEqual } from "viem";
import { fromHex } from "@/lib/ledger/crypto/bytes";
import { NO_SPENDING, type PolicyOpening, policyWord } from "@/lib/ledger/crypto/policy-word";
import { type PolicyDocument, policyDocumentHash } from "@/lib/ledger/policy/policy-document";
import { policyWordSalt } from "@/lib/ledger/policy/policy-salts";
import { allowsOnChain, NO_RECIPIENT_PROOF, recipientsTree } from "@/lib/ledger/policy/recipients-tree";
import { documentOfPolicy, hasOpenRecipients, type PolicyAssetAddresses } from "@/lib/policy/policy-document";
import { applyPatch, DENY_ALL, type SpendPolicy } from "@/lib/policy/spend-policy";
import type { Operation } from "../api/api-types";
import { HalcyonError } from "../api/errors";
import type { SpendPolicy as PolicyResource } from "../api/resources/agents";
import type { Context } from "../context/context";
import { poll } from "../context/operation";
import type { Party } from "./party";
import { patchOfFields } from "./patch-of-fields";

/** What of a policy stands beside it, so that its owner's client finds it on the ledger again. */
interface PolicyOnLedger {
  /** The ledger's policy version that it makes. */
  version: string | number;
  /** The version that the next one is signed over, with what is on its way. */
  policy_version: string | number;
  salt: Hex;
  /** The addresses that its recipients stood for when it was signed. */
  resolved: Address[];
  any_recipient: boolean;
  paused: boolean;
}

/** A policy as the session routes have it: of an agent, or of the account itself. */
export interface SessionPolicy extends PolicyResource {
  /** Whether the ledger enforces exactly this policy. `pending`: it is on its way there. */
  in_force: "yes" | "pending" | "no";
  ledger: PolicyOnLedger | null;
  operation: Operation | null;
}

/** The path of a party's policy. */
export function policyPath({ type, query }: Pick<Party, "type" | "query">): string {
  return type === "agent" ? `/api/agents/${query.agent}/spend-policy` : "/api/limits";
}

/** The fields of a policy, without what else a response has. */
export function fieldsOf(policy: PolicyResource): Required<Omit<PolicyResource, "policy_id" | "updated_at">> {
  const { daily_limit_usdg, per_transaction_limit_usdg, allowed_recipients, assets } = policy;
  const { active_hours, hitl_threshold_usdg, time_zone, limits } = policy;
  const { monthly_limit_usdg, payments_per_day, recipient_limits, public_payments } = policy;
  const amounts = { daily_limit_usdg, per_transaction_limit_usdg, hitl_threshold_usdg, limits };
  const further = { monthly_limit_usdg, payments_per_day, recipient_limits, public_payments };
  return { ...amounts, ...further, allowed_recipients, assets, active_hours, time_zone };
}

/** A policy of the service's as both sides decide by it. */
export function policyOfResource(resource: PolicyResource): SpendPolicy {
  return applyPatch(DENY_ALL, patchOfFields(fieldsOf(resource)));
}

/** The addresses of the assets that policies speak of. */
export async function policyAssets(context: Context): Promise<PolicyAssetAddresses> {
  const [usdg, eth] = await Promise.all([context.asset("USDG"), context.asset("ETH")]);
  return { USDG: usdg.address, ETH: eth.address };
}

/** A policy that the ledger enforces, with everything that a payment under it shows. */
export interface PolicyInForce {
  document: PolicyDocument;
  /** The service's rows of it: the chain confirms them, with what their recipients stand for. */
  rows: SessionPolicy;
  /** Whether the ledger takes a payment to this address in the modes of keys. */
  allows(recipient: Address): boolean;
  /** The limits of an asset with their salt; null where nothing may be spent. */
  openingOf(asset: Address): PolicyOpening | null;
}

/**
 * The policy that the ledger enforces of a party, from the service's rows, each of which the chain confirms. Waits for one
 * that is on its way.
 *
 * @throws HalcyonError `policy_not_in_force` when the service's rows are not the ledger's policy
 */
export async function policyInForceOf(context: Context, party: Party): Promise<PolicyInForce> {
  const [session, scope, chain, addresses] = await Promise.all([
    context.session(),
    context.scope(),
    context.chain(),
    policyAssets(context),
  ]);
  const read = async (): Promise<PolicyInForce | undefined> => {
    const [rows, record] = await Promise.all([
      session.get<SessionPolicy>(policyPath(party)),
      chain.policyOf(party.address),
    ]);
    const { ledger } = rows;
    if (!ledger) throw notInForce();
    const ref = { scope, holder: party.address, version: BigInt(ledger.version) };
    const policy = policyOfResource(rows);
    const salt = fromHex(ledger.salt);
    // The service alone may have paused it: then the ledger's policy is not.
    const document = (ledger.paused ? [true, false] : [false])
      .map((paused) => documentOfPolicy(policy, paused, ref, addresses))
      .find((one) => policyDocumentHash(salt, one) === record.documentHash.toLowerCase());
    if (!document) {
      if (rows.in_force === "pending") return undefined;
      throw notInForce();
    }
    const tree = hasOpenRecipients(policy) ? null : recipientsTree(salt, document, ledger.resolved);
    if (tree && tree.root !== record.recipientsRoot.toLowerCase()) throw notInForce();
    return {
      document,
      rows,
      allows(recipient) {
        const proof = tree?.proofOf(recipient) ?? NO_RECIPIENT_PROOF;
        return allowsOnChain(record.recipientsRoot, party.address, recipient, proof);
      },
      openingOf(asset) {
        const entry = document.assets.find((one) => isAddressEqual(one.asset, asset));
        return entry?.allowed ? { ...entry, salt: policyWordSalt(salt, document, asset) } : null;
      },
    };
  };
  return poll(context, "The policy", read);
}

/** The word that a policy gives an asset on the ledger. */
export function wordOf(policy: PolicyInForce, asset: Address): bigint {
  const opening = policy.openingOf(asset);
  return opening ? policyWord(opening) : NO_SPENDING;
}

function notInForce(): HalcyonError {
  return new HalcyonError(
    "policy_not_in_force",
    "The policy that the service has is not the one on the ledger, so nothing is paid under it. Set the policy again.",
  );
}
