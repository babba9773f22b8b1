import { AsyncLocalStorage } from "node:async_hooks";

/** Reads the body of a request: up to `most` bytes and one more, by which too large a body is known. */
export type ReadRawBody = (most: number) => Promise<Uint8Array>;

// server.ts runs outside Next's bundles and route handlers inside them: one store for both needs a global place.
const shared = globalThis as typeof globalThis & { halcyonRawBody?: AsyncLocalStorage<ReadRawBody> };
shared.halcyonRawBody ??= new AsyncLocalStorage();
const store = shared.halcyonRawBody;

/** Runs the handling of one request with the body at hand that Next would drop (of a GET) or read without a bound. */
export function withRawBody<T>(read: ReadRawBody, handle: () => T): T {
  return store.run(read, handle);
}

/** Reads the body of the request being handled past Next; undefined where Next hands it over. */
export function rawBody(): ReadRawBody | undefined {
  return store.getStore();
}
