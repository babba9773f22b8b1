import { ApiError } from "@/lib/errors";

/** The refusal to change what an agent may pay once it has ended. */
export function hasEnded(): ApiError {
  return new ApiError(
    "policy_not_in_force",
    "This agent has ended: nothing signs for it. Give it a new key with your wallet, in the dashboard or with `halcyon " +
      "agents replace-key`. Then change it.",
  );
}
