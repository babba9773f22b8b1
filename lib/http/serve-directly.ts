import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddressOf } from "@/lib/base/client-address";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";
import type { FoundHandler } from "./direct-handlers";
import { plainFailure } from "./failure";
import { endInPieces, PIECE_BYTES } from "./least-rate";
import { type PlainResponse, plainHandlerOf } from "./plain-response";
import type { ReadRawBody } from "./raw-body";
import { UnreadResponses } from "./unread-responses";

const unread = new UnreadResponses();

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
  const length = result.text === null ? 0 : Buffer.byteLength(result.text);
  if (length <= PIECE_BYTES || method === "HEAD") return send(response, result, method, length);
  const reader = result.reader ?? addressBlock(clientAddressOf(headers) ?? "");
  // What a change did can't be refused any more.
  const refusal = method === "GET" && unread.enter(reader, length, response);
  if (!refusal) return send(response, result, method, length);
  const failed = plainFailure(refusal, result.headers["x-request-id"] ?? "", url);
  send(response, failed, method, Buffer.byteLength(failed.text ?? ""));
}

/** @param length of the text, in bytes */
function send(
  response: ServerResponse,
  { status, headers, text }: PlainResponse,
  method: string,
  length: number,
): void {
  // In lower case, like the Fetch API.
  for (const [name, value] of Object.entries(headers)) response.setHeader(name.toLowerCase(), value);
  if (text !== null) response.setHeader("content-length", length);
  response.writeHead(status);
  if (text === null || method === "HEAD") response.end();
  else if (length > PIECE_BYTES) endInPieces(response, typeof text === "string" ? Buffer.from(text) : text);
  // Headers and text are sent in one write.
  else response.end(text);
}
