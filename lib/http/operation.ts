import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";
import type { RouteHandler } from "./declared-route";
import type { PlainResponse } from "./plain-response";
import type { BodyLimit } from "./read-json-body";

/** A call of a declared operation, however it came. */
export interface OperationCall {
  method: string;
  /** The path of its URL. */
  path: string;
  /** The query. */
  search: URLSearchParams;
  /** The header `Authorization`, whose holder the call counts for. */
  authorization: string | null;
  /** The header `Idempotency-Key`. */
  idempotencyKey: string | null;
  /** The header `Cookie`. */
  cookies: string | null;
  /**
   * Reads the body, which is JSON.
   *
   * @param line of the caller, whose body it counts as
   */
  readBody(limit: BodyLimit, line: string | undefined): Promise<Uint8Array>;
}

/**
 * Runs an operation for an application whose access token was authenticated, with every guard of its route. A request
 * from outside never does, so a token never works as an API key.
 */
type RunOperation = (
  key: AuthenticatedKey,
  call: OperationCall,
  params: Record<string, string>,
) => Promise<PlainResponse>;

const OPERATIONS = new WeakMap<RouteHandler, RunOperation>();

/** Remembers how the operation of a handler runs without a request. */
export function keepOperation(handler: RouteHandler, run: RunOperation): void {
  OPERATIONS.set(handler, run);
}

/**
 * Returns how the operation of a handler runs without a request.
 *
 * @throws Error if `route()` did not create the handler
 */
export function operationOf(handler: RouteHandler): RunOperation {
  const run = OPERATIONS.get(handler);
  if (!run) throw new Error("an operation that is not declared with route()");
  return run;
}
