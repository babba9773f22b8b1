import { type Address, getAddress } from "viem";
import { isoTime } from "@/lib/clock";
import type { Decision } from "@/lib/policy/decide";
import { toSpendPolicyResource } from "@/lib/policy/resource";
import type { SpendPolicy } from "@/lib/policy/spend-policy";

/** An agent as its owner sees it. */
export interface AgentView {
  id: string;
  /** Without @. */
  handle: string;
  address: Address;
  status: "active" | "paused";
  policyId: string;
}

/** The contract's Agent account; `public_key` is its address with the EIP-55 checksum. */
export function toAgentResource({ id, handle, address, status, policyId }: AgentView) {
  return {
    account_id: id,
    handle: `@${handle}`,
    public_key: getAddress(address),
    status,
    spend_policy_id: policyId,
  };
}

/** A policy with what its row adds. */
export interface PolicyView {
  id: string;
  policy: SpendPolicy;
  updatedAt: Date;
}

/** The contract's Spend policy. */
export function toPolicyResource({ id, policy, updatedAt }: PolicyView) {
  return { policy_id: id, ...toSpendPolicyResource(policy), updated_at: isoTime(updatedAt) };
}

/** What a policy says of payments, rule by rule. */
export function toDecisionList(decisions: readonly Decision[]) {
  return {
    decisions: decisions.map((decision) => ({
      outcome: decision.outcome,
      ...(decision.outcome === "denied" ? { reason: decision.reason } : {}),
      rules: decision.rules.map(({ rule, outcome }) => ({ rule, outcome })),
    })),
  };
}
