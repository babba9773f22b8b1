import { ApiCallError, HalcyonError, ServiceUnreachable } from "@/sdk/api/errors";
import { unknownOf } from "./unknown-outcome";

/**
 * Returns an error's message for people: the service's own message, which includes the remedy, or a generic one. Of
 * changes, `describeError` says as well whether they may have been made nevertheless.
 */
export function messageOf(error: unknown): string {
  // The SDK's messages for these errors are written for a terminal.
  if (error instanceof ServiceUnreachable) return "The service does not respond. Check your connection and try again.";
  if (error instanceof HalcyonError && error.param === "rpcUrl")
    return "The chain does not respond. Try again in a moment.";
  // A response without a request id comes from a proxy in front of the service, which has no message for people.
  if (error instanceof ApiCallError && error.status >= 500 && error.requestId === undefined) {
    return `The service is temporarily unavailable (${error.status}). Try again soon.`;
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "outcome_unknown") return unknownOf(error);
  // Errors of the SDK and the vault have a code and a message written for people.
  if (error instanceof Error && typeof code === "string") return error.message;
  return "Something failed on this page. Reload it and try again.";
}
