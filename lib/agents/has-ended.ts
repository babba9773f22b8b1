import { ApiError } from "@/lib/base/errors";

/** Returns the error for a change of what an ended agent may pay. */
export function hasEnded(): ApiError {
  return new ApiError(
    "policy_not_in_force",
    "This agent has ended for good: nothing signs for it. Create another agent.",
  );
}
