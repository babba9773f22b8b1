import type { IncomingMessage, ServerResponse } from "node:http";
import { clientAddressOf } from "@/lib/base/client-address";
import { ApiError } from "@/lib/base/errors";
import { addressBlock } from "@/lib/base/rate-limit/address-bucket";
import { count } from "@/lib/base/telemetry/record";
import type { FoundHandler } from "./direct-handlers";
import { plainFailure } from "./failure";
import { endInPieces, PIECE_BYTES } from "./least-rate";
import { type PlainResponse, plainHandlerOf } from "./plain-response";
import type { ReadRawBody } from "./raw-body";

/** The most bytes of large responses that one reader leaves unread: seventeen of the largest views. */
const MOST_BYTES = 32 * 1024 * 1024;

/**
 * Counts large responses that have not been read yet. Admission counts no response that has begun, and a client may read
 * at the least rate, so one address, or one account, could otherwise have this process keep any number.
 */
class UnreadResponses {
  private readonly bytesOf = new Map<string, number>();

  /**
   * Counts a response until it has been sent, or its client has disconnected.
   *
   * @param reader a client address, or an account with a valid key or session
   * @returns the error to respond with instead if it is too much
   */
  enter(reader: string, bytes: number, response: ServerResponse): ApiError | undefined {
    // Its `close` may be past.
    if (response.destroyed) return undefined;
    if ((this.bytesOf.get(reader) ?? 0) + bytes > MOST_BYTES) {
      count("halcyon.rate_limit.refusals", { policy: "unread" });
      const message = "You have not read what was sent to you before. Read those responses, then ask again.";
      return new ApiError("rate_limited", message, { retryAfter: 1 });
    }
    this.change(reader, bytes);
    response.once("close", () => this.change(reader, -bytes));
    return undefined;
  }

  private change(reader: string, bytes: number): void {
    const left = (this.bytesOf.get(reader) ?? 0) + bytes;
    if (left === 0) this.bytesOf.delete(reader);
    else this.bytesOf.set(reader, left);
  }
}

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
