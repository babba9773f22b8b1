import { WorkValue } from "@/lib/base/work-value";

/**
 * Reads the body of a request, up to `most` bytes or a little more, which shows that the body is too large.
 *
 * @param account of the request's valid key or session; without it the body counts as its client address's
 */
export type ReadRawBody = (most: number, account?: string) => Promise<Uint8Array>;

const body = new WorkValue<ReadRawBody | undefined>("rawBody");

/**
 * Runs the handler of a request with access to the raw body, which Next.js would drop (for a GET) or read without
 * limits.
 *
 * @param read undefined for a request that this process makes to itself
 */
export function withRawBody<T>(read: ReadRawBody | undefined, handle: () => T): T {
  return body.run(read, handle);
}

/** Returns the reader of the current request's raw body; undefined if Next.js provides the body. */
export function rawBody(): ReadRawBody | undefined {
  return body.get();
}
