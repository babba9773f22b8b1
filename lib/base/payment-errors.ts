import { ApiError, type PolicyReason } from "./errors";

/** Returns the error for a payment that the budget does not cover. It never says how much there is. */
export function insufficientBalance(): ApiError {
  return new ApiError(
    "insufficient_balance",
    "The available balance does not cover this payment. Make received or deposited money available with the dashboard, the SDK or `halcyon make-available`.",
  );
}

const REASONS: Record<PolicyReason, string> = {
  agent_paused: "This agent is paused. Its owner can resume it.",
  asset_not_allowed: "The agent's policy does not allow this asset.",
  recipient_not_allowed: "The agent's policy does not allow this recipient.",
  public_payments_not_allowed:
    "This agent's policy allows no sellers that take public payments only. Its owner can allow them (`public_payments`).",
  outside_active_hours: "The agent's policy does not allow payments at this hour.",
  per_transaction_limit: "This is more than the agent's policy allows for one payment.",
  daily_limit: "This is more than the agent's policy leaves for today.",
  monthly_limit: "This is more than the agent's policy leaves for this month.",
  payments_per_day: "The agent has made as many payments today as its policy allows.",
  recipient_transaction_limit: "This is more than the agent's policy allows for one payment to this recipient.",
  recipient_monthly_limit: "This is more than the agent's policy leaves for this recipient this month.",
  too_many_held: "Too many of this agent's payments wait for approval. Its owner decides them first, or they expire.",
};

/**
 * Returns the error for a payment that the agent's policy refuses. It says which rule refused it, never by how much.
 */
export function policyViolation(reason: PolicyReason): ApiError {
  return new ApiError("policy_violation", REASONS[reason], { reason });
}

/**
 * Returns the error for a payment of an ended agent. Its `reason` is that of a paused agent, because to the agent's key
 * ended means paused for good.
 */
export function agentEnded(): ApiError {
  return new ApiError("policy_violation", "This agent has ended: it makes no more payments.", {
    reason: "agent_paused",
  });
}
