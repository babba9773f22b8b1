import type { IncomingMessage, ServerResponse } from "node:http";
import type { FoundHandler } from "./v1-handlers";

/**
 * Calls a route handler as Next would: with a `Request` of the Fetch API. Its body is read through `rawBody`, which the
 * caller provides. A response without a body of its own (HEAD) keeps its headers.
 *
 * @param origin of the request's address
 */
export async function serveDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  { handler, params }: FoundHandler,
  origin: string,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const asked = new Request(`${origin}${url}`, { method, headers: headersOf(request) });
  const result = await handler(asked, { params: Promise.resolve(params) });
  const body = result.body === null ? undefined : Buffer.from(await result.arrayBuffer());
  result.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  if (body) response.setHeader("content-length", body.byteLength);
  response.writeHead(result.status);
  response.end(method === "HEAD" ? undefined : body);
}

function headersOf({ headers }: IncomingMessage): [string, string][] {
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === "string"
      ? [[name, value] as [string, string]]
      : (value ?? []).map((one) => [name, one] as [string, string]),
  );
}
