import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/lib/base/errors";
import { TOO_SLOW } from "./arriving-bodies";

const TOO_LONG = new ApiError(
  "unavailable",
  "This took too long. Try again in a moment. If it was to change something, that may still happen: repeat it with the same Idempotency-Key.",
  { retryAfter: 1 },
);

/**
 * Responds with an error if a response has not begun in time. What a request does when its time is over goes on, and
 * the response that it would have had is dropped: a change is made or not, never cut in half.
 *
 * @param ms until the response has to begin; null for one that may take any time
 * @param respond responds with the error
 * @returns fires when no one waits for the response any more: its client has left, or its time is over
 */
export function untilDeadline(
  request: IncomingMessage,
  response: ServerResponse,
  ms: number | null,
  respond: (error: ApiError) => void,
): AbortSignal {
  const left = new AbortController();
  const over = () => {
    if (response.headersSent) return;
    respond(request.complete ? TOO_LONG : TOO_SLOW);
    drop(response);
    left.abort();
  };
  const timer = ms === null ? undefined : setTimeout(over, ms);
  response.once("close", () => {
    clearTimeout(timer);
    if (!response.writableFinished) left.abort();
  });
  return left.signal;
}

/** Makes a response that is complete ignore whatever else is written to it. */
function drop(response: ServerResponse): void {
  const ignore = () => response;
  const none = () => true;
  Object.assign(response, {
    setHeader: ignore,
    appendHeader: ignore,
    removeHeader: ignore,
    flushHeaders: ignore,
    writeHead: ignore,
    write: none,
    end: ignore,
  });
}
