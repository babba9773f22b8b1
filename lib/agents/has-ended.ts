import { ApiError } from "@/lib/errors";

/** The refusal to change what an agent may pay once it has ended. */
export function hasEnded(): ApiError {
  return new ApiError(
    "policy_not_in_force",
    "This agent has ended for good: nothing signs for it. Create another agent.",
  );
}
