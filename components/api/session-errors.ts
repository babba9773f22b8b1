import { ApiCallError } from "@/sdk/api/errors";

/** Returns whether the service rejected this session. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiCallError && error.status === 401;
}

/**
 * Returns whether the session timed out, as opposed to being ended by someone. The service gives this reason only to
 * the holder of the session's token, and decides by its own clock.
 */
export function isSessionExpired(error: unknown): boolean {
  return isSignedOut(error) && (error as ApiCallError).reason === "session_expired";
}
