import { AsyncLocalStorage } from "node:async_hooks";

/** What becomes known of a request while it is served. */
export interface CurrentRequest {
  /** As the response's `X-Request-Id` gives it. */
  requestId?: string;
  /** Code of the error response. */
  errorCode?: string;
}

// server.ts runs outside Next's bundles and route handlers inside them: one store for both needs a global place.
const shared = globalThis as typeof globalThis & { halcyonRequest?: AsyncLocalStorage<CurrentRequest> };
shared.halcyonRequest ??= new AsyncLocalStorage();
const store = shared.halcyonRequest;

/** Runs the handling of one request. */
export function withRequest<T>(request: CurrentRequest, work: () => T): T {
  return store.run(request, work);
}

/** The request being handled; undefined outside of one. */
export function currentRequest(): CurrentRequest | undefined {
  return store.getStore();
}

/** Adds what became known of the request being handled. */
export function noteRequest(known: CurrentRequest): void {
  const request = store.getStore();
  if (request) Object.assign(request, known);
}
