import { ApiError } from "@/lib/base/errors";
import { POLICY_RULES, type PolicyRule } from "@/lib/policy/decide";
import { REFERENCE } from "@/lib/policy/rules";

/** Why a policy refuses a payment: a rule, or that too many payments wait already. */
export type PolicyReason = PolicyRule | "too_many_held";
export const POLICY_REASONS: readonly PolicyReason[] = [...POLICY_RULES, "too_many_held"];

const MESSAGES: Partial<Record<string, string>> = {
  agent_paused: "This agent is paused. Its owner can resume it.",
  too_many_held: "Too many of this agent's payments wait for approval. Its owner decides them first, or they expire.",
  ...Object.assign({}, ...Object.values(REFERENCE).map(({ refusals }) => refusals)),
};

/**
 * Returns the error for a payment that the agent's policy refuses. It says which rule refused it, never by how much.
 */
export function policyViolation(reason: PolicyReason): ApiError {
  return new ApiError("policy_violation", MESSAGES[reason] ?? "The agent's policy refuses this payment.", { reason });
}
