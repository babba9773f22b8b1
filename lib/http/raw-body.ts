import { WorkValue } from "@/lib/work-value";

/** Reads the body of a request, up to `most` bytes plus one, which shows that the body is too large. */
export type ReadRawBody = (most: number) => Promise<Uint8Array>;

const body = new WorkValue<ReadRawBody>("rawBody");

/**
 * Runs the handler of a request with access to the raw body, which Next.js would drop (for a GET) or read without a
 * limit.
 */
export function withRawBody<T>(read: ReadRawBody, handle: () => T): T {
  return body.run(read, handle);
}

/** Returns the reader of the current request's raw body; undefined if Next.js provides the body. */
export function rawBody(): ReadRawBody | undefined {
  return body.get();
}
