import { AsyncLocalStorage } from "node:async_hooks";

// server.ts runs outside Next's bundles and route handlers inside them: one store for both needs a global place.
const shared = globalThis as typeof globalThis & { halcyonRawBody?: AsyncLocalStorage<Uint8Array> };
shared.halcyonRawBody ??= new AsyncLocalStorage();
const store = shared.halcyonRawBody;

/** Runs the handling of one request with the body of its GET at hand, which Next would drop. */
export function withRawBody<T>(body: Uint8Array, handle: () => T): T {
  return store.run(body, handle);
}

/** The body of the GET being handled, as the server in front read it; undefined for other methods or without one. */
export function rawBodyOf(method: string): Uint8Array | undefined {
  return method === "GET" ? store.getStore() : undefined;
}
