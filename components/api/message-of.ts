import { ApiCallError, ChainUnreachable, ServiceUnreachable } from "@/sdk/api/errors";

/** What a person reads about an error: the service's own words with the remedy, else that something failed here. */
export function messageOf(error: unknown): string {
  // The SDK's words for these are for a terminal.
  if (error instanceof ServiceUnreachable) return "The service does not respond. Check your connection and try again.";
  if (error instanceof ChainUnreachable) return "The chain does not respond. Try again in a moment.";
  // Of a proxy in front of the service, which has no words for people. The service's own responses have an id.
  if (error instanceof ApiCallError && error.status >= 500 && error.requestId === undefined) {
    return `The service is away for a moment (${error.status}). Try again soon.`;
  }
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "outcome_unknown") {
    return "We don't know yet whether this was done: the response was lost. Do not do it again. Halcyon keeps checking.";
  }
  // Errors of the SDK and of the vault carry a code and a message that is written for people.
  if (error instanceof Error && typeof code === "string") return error.message;
  return "Something failed in this page. Reload it and try again.";
}
