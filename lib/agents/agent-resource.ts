import { type Address, getAddress } from "viem";
import { z } from "zod";
import { isoTime } from "@/lib/base/clock";
import { HAS_MORE_FIELD, handleField, hexField, idField, timeField } from "@/lib/base/response-fields";
import { OperationResource } from "@/lib/chain/operations/operation-resource";
import { POLICY_SALT_LENGTH } from "@/lib/ledger/policy/policy-salts";
import type { PolicyDecision } from "@/lib/policy/decide";
import { DecisionResource, toDecisionResource } from "@/lib/policy/decision-resource";
import { SpendPolicyFields } from "@/lib/policy/resource";
import { type SpendPolicy, toSpendPolicyResource } from "@/lib/policy/spend-policy";

/** An agent as its owner sees it. */
export interface AgentView {
  id: string;
  /** Without @. */
  handle: string;
  address: Address;
  status: "active" | "paused" | "ended";
  policyId: string;
}

/** The Agent account of the public API. */
export const AgentResource = z
  .object({
    account_id: idField("account", "Identifies the agent's account."),
    handle: handleField("The agent's handle in its owner's namespace, `@owner/agent`."),
    public_key: hexField(20, "Address of the agent's wallet, with its EIP-55 checksum."),
    status: z.enum(["active", "paused", "ended"]).meta({
      description: "A `paused` agent can't pay until you resume it. An `ended` one has no key that signs for it.",
    }),
    spend_policy_id: idField("policy", "Identifies its spend policy."),
  })
  .meta({ id: "Agent", description: "An agent account." });

export const AgentList = z
  .object({
    agents: z.array(AgentResource).meta({ description: "The agents of this page." }),
    has_more: HAS_MORE_FIELD,
  })
  .meta({ id: "AgentList", description: "Agents of the account." });

const POLICY_VERSION = "A version of the policy on the ledger, as a decimal string";

/** What an owner's client needs of a policy to sign the next one, and to compare it with the ledger. */
const PolicyOnLedger = z
  .object({
    policy_version: z
      .string()
      .meta({ description: `${POLICY_VERSION}: the one over which the next policy is signed.` }),
    version: z.string().meta({ description: `${POLICY_VERSION}: that of this policy.` }),
    salt: hexField(POLICY_SALT_LENGTH, "The salt that hides the policy from readers of the chain."),
    resolved: z
      .array(hexField(20, "Address in lower case."))
      .meta({ description: "The addresses that its recipients stood for when it was signed." }),
    any_recipient: z.boolean().meta({ description: "Whether anyone may be paid." }),
    paused: z.boolean().meta({ description: "Whether the agent is paused." }),
  })
  .meta({ id: "PolicyOnLedger", description: "What the ledger has of a policy." });

const WITH_LEDGER = "Only with `include=ledger`.";

/** The Spend policy of the public API. */
export const PolicyResource = z
  .object({
    policy_id: idField("policy", "Identifies the policy."),
    ...SpendPolicyFields.shape,
    updated_at: timeField("When it was last changed."),
    in_force: z
      .enum(["yes", "pending", "no"])
      .optional()
      .meta({
        description: `Whether the ledger has this policy. \`pending\`: it is on its way. \`no\`: nothing is paid under it until it is signed again. ${WITH_LEDGER}`,
      }),
    ledger: PolicyOnLedger.optional().meta({
      description: `What an owner's client needs to sign the next policy. ${WITH_LEDGER}`,
    }),
    operation: OperationResource.nullable()
      .optional()
      .meta({ description: `The operation that relays the policy to the ledger, or null. ${WITH_LEDGER}` }),
  })
  .meta({ id: "SpendPolicy", description: "The limits, recipients, assets and hours that an agent must meet." });

export const DecisionList = z
  .object({
    decisions: z
      .array(DecisionResource)
      .meta({ description: "One decision per payment, in the order you sent the payments." }),
  })
  .meta({ id: "DecisionList", description: "What a policy decides for payments made one after the other." });

/** Serializes an agent. `public_key` is its address with the EIP-55 checksum. */
export function toAgentResource({ id, handle, address, status, policyId }: AgentView) {
  return {
    account_id: id,
    handle: `@${handle}`,
    public_key: getAddress(address),
    status,
    spend_policy_id: policyId,
  };
}

/** A policy with the id and time of its row. */
export interface PolicyView {
  id: string;
  policy: SpendPolicy;
  updatedAt: Date;
}

/** Serializes a policy. */
export function toPolicyResource({ id, policy, updatedAt }: PolicyView) {
  return { policy_id: id, ...toSpendPolicyResource(policy), updated_at: isoTime(updatedAt) };
}

/** Serializes what a policy decides about payments, rule by rule. */
export function toDecisionList(decisions: readonly PolicyDecision[]) {
  return { decisions: decisions.map(toDecisionResource) };
}

/** Serializes a page of agents. */
export function toAgentList({ entries, hasMore }: { entries: AgentView[]; hasMore: boolean }) {
  return { agents: entries.map(toAgentResource), has_more: hasMore };
}
