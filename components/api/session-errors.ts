import { ApiCallError } from "@/sdk/api/errors";

/** Whether the service no longer takes this session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiCallError && error.status === 401;
}

/**
 * Whether it ran out by itself: the service says so to the holder of its token alone, by its own clock. Any other was
 * ended by someone.
 */
export function isSessionExpired(error: unknown): boolean {
  return isSignedOut(error) && (error as ApiCallError).reason === "session_expired";
}
