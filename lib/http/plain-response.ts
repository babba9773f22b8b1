import { newId } from "@/lib/base/ids";
import type { RouteHandler } from "./declared-route";
import type { ReadRawBody } from "./raw-body";

/** The parts of a request that routes read: a `Request` of the Fetch API, or what the server in front provides. */
export interface PlainRequest {
  readonly method: string;
  /** The absolute URL. */
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  readonly body: ReadableStream<Uint8Array> | null;
  /** Reads the body, if the server in front does that. */
  readonly readBody?: ReadRawBody;
}

/** A response before it is converted to the Fetch API. */
export interface PlainResponse {
  status: number;
  headers: Record<string, string>;
  /** The body; null if there is none. Bytes are shared by all who get them. */
  text: string | Uint8Array | null;
  /** For whom it is: an account's keys, those of its agents, or its sessions. Otherwise, for a client address. */
  reader?: string;
}

/** A route handler without the Fetch API, whose requests and responses cost more than most reads. */
type PlainHandler = (
  request: PlainRequest,
  params: Record<string, string | string[] | undefined>,
) => Promise<PlainResponse>;

const PLAIN = new WeakMap<RouteHandler, PlainHandler>();

/** Returns the route handler for Next.js. {@link plainHandlerOf} returns the original handler. */
export function asRouteHandler(plain: PlainHandler): RouteHandler {
  const handler: RouteHandler = async (request, { params }) => toResponse(await plain(request, await params));
  PLAIN.set(handler, plain);
  return handler;
}

/**
 * Returns the route handler of a link that only leads elsewhere in this site, with its query.
 *
 * @param to returns the path
 */
export function asRedirect(to: (url: URL) => string): RouteHandler {
  return asRouteHandler(async ({ url }) => {
    const asked = new URL(url);
    const headers = {
      location: `${to(asked)}${asked.search}`,
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-request-id": newId("request"),
    };
    return { status: 303, headers, text: null };
  });
}

/** Reports whether a route handler was created by {@link asRouteHandler}. */
export const isPlain = (handler: RouteHandler): boolean => PLAIN.has(handler);

/**
 * Returns the plain handler from which a route handler was created.
 *
 * @throws Error if `asRouteHandler` did not create it
 */
export function plainHandlerOf(handler: RouteHandler): PlainHandler {
  const plain = PLAIN.get(handler);
  if (!plain) throw new Error("a route of the API that is not declared with route()");
  return plain;
}

/** Converts a response to the Fetch API. */
export function toResponse({ status, headers, text }: PlainResponse): Response {
  return new Response(text as BodyInit | null, { status, headers });
}
