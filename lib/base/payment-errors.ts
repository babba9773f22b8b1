import { ApiError } from "./errors";

/** Returns the error for a payment that the available balance does not cover. It never says how much there is. */
export function insufficientBalance(): ApiError {
  return new ApiError(
    "insufficient_balance",
    "The available balance does not cover this payment. Make received or deposited money available with the dashboard, the SDK or `halcyon make-available`.",
  );
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

/**
 * Returns the error for what the service can't do with a blind key, because it would have to read an amount or a
 * balance.
 */
export function needsHomeKey(): ApiError {
  return new ApiError(
    "key_forbidden",
    "This is a blind key: the service can't read its account's balance, and signs only payments that your own machine " +
      "has built. Pay with the SDK or the command line and the home key, or through `halcyon proxy`, which takes this same " +
      "request on your own machine. For anything else, use a plain key.",
  );
}
