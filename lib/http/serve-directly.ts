import type { IncomingMessage, ServerResponse } from "node:http";
import type { FoundHandler } from "./direct-handlers";
import { plainHandlerOf } from "./plain-response";
import type { ReadRawBody } from "./raw-body";

/**
 * Serves a request with its route handler, like Next.js would. A HEAD response has no body but keeps its headers.
 *
 * @param readBody reads the request's body
 * @param origin of the request's URL
 */
export async function serveDirectly(
  request: IncomingMessage,
  response: ServerResponse,
  { handler, params }: FoundHandler,
  readBody: ReadRawBody,
  origin: string,
): Promise<void> {
  const { method = "GET", url = "/" } = request;
  const headers = {
    get(name: string) {
      const value = request.headers[name];
      return Array.isArray(value) ? value.join(", ") : (value ?? null);
    },
  };
  const result = await plainHandlerOf(handler)(
    { method, url: `${origin}${url}`, headers, body: null, readBody },
    params,
  );
  // In lower case, like the Fetch API.
  for (const [name, value] of Object.entries(result.headers)) response.setHeader(name.toLowerCase(), value);
  const { text } = result;
  if (text !== null) response.setHeader("content-length", Buffer.byteLength(text));
  response.writeHead(result.status);
  // Headers and text are sent in one write.
  if (text === null || method === "HEAD") response.end();
  else response.end(text);
}
