import type { RouteHandler } from "./declared-route";
import type { ReadRawBody } from "./raw-body";

/** What routes read of a request: a `Request` of the Fetch API, or what the server in front has of one. */
export interface PlainRequest {
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  /** Reads the body where the server in front does. */
  readonly readBody?: ReadRawBody;
}

/** A response before it is one of the Fetch API. */
export interface PlainResponse {
  status: number;
  headers: Record<string, string>;
  /** null: it has no body. */
  text: string | null;
}

/** What a route handler does, without the Fetch API, whose requests and responses cost more than most reads. */
export type PlainHandler = (
  request: PlainRequest,
  params: Record<string, string | string[] | undefined>,
) => Promise<PlainResponse>;

const PLAIN = new WeakMap<RouteHandler, PlainHandler>();

/** The route handler that Next calls, of one that {@link plainHandlerOf} then finds. */
export function asRouteHandler(plain: PlainHandler): RouteHandler {
  const handler: RouteHandler = async (request, { params }) => toResponse(await plain(request, await params));
  PLAIN.set(handler, plain);
  return handler;
}

/** What a route handler was made of. @throws Error for a handler of another make */
export function plainHandlerOf(handler: RouteHandler): PlainHandler {
  const plain = PLAIN.get(handler);
  if (!plain) throw new Error("a route of the API that is not declared with route()");
  return plain;
}

/** As a response of the Fetch API. */
export function toResponse({ status, headers, text }: PlainResponse): Response {
  return new Response(text, { status, headers });
}
