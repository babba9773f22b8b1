import type { ChainId } from "@/lib/base/network";
import { WorkValue } from "@/lib/base/work-value";

/** What becomes known about a request while it is handled. */
export interface CurrentRequest {
  /** The `X-Request-Id` of the response. */
  requestId?: string;
  /** The code of the error response. */
  errorCode?: string;
  /** Whose it is, of a request with an API key. */
  caller?: { rootId: string; chainId: ChainId; keyId: string };
}

const current = new WorkValue<CurrentRequest>("request");

/** Runs the handler of one request. */
export function withRequest<T>(request: CurrentRequest, work: () => T): T {
  return current.run(request, work);
}

/** Returns the request being handled; undefined outside of a request. */
export function currentRequest(): CurrentRequest | undefined {
  return current.get();
}

/** Adds facts about the request being handled. */
export function noteRequest(known: CurrentRequest): void {
  const request = current.get();
  if (request) Object.assign(request, known);
}
