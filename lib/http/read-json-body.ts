import { ApiError } from "@/lib/base/errors";
import { type JsonFault, scanJson } from "@/lib/base/scan-json";
import type { PlainRequest } from "./plain-response";
import { rawBody } from "./raw-body";
import { refuseHomeKeyInBody } from "./refuse-home-keys";

/** What a body may cost: its bytes, and the values in its lists and objects. */
export interface BodyLimit {
  kib: number;
  values: number;
}

/** The limit of bodies where a route declares no other. */
export const BODY_LIMIT: BodyLimit = { kib: 64, values: 2_500 };
/** How deep lists and objects may be inside each other. */
const BODY_DEPTH = 20;

/** A body's text and its parsed value. If no body was sent, `text` is empty and `value` undefined. */
interface JsonBody {
  text: string;
  value: unknown;
}

type ReadRequest = Pick<PlainRequest, "headers" | "body" | "readBody">;

/**
 * Reads a request's body as JSON, whatever its content type, because plain `curl -d` says that it is a form.
 *
 * @throws ApiError `invalid_request`, see {@link readJsonBytes} and {@link parseJson}
 */
export async function readJsonBody(request: ReadRequest, limit = BODY_LIMIT): Promise<JsonBody> {
  return parseJson(await readJsonBytes(request, limit), limit);
}

/**
 * Reads a body that should be JSON, without parsing it.
 *
 * @param account of the request's key or session, whose body it counts as; by default it counts as its address's
 * @throws ApiError `invalid_request`: 415 for multipart or a content encoding, otherwise as {@link readBytes}
 */
export async function readJsonBytes(request: ReadRequest, { kib }: BodyLimit, account?: string): Promise<Uint8Array> {
  if (/^\s*multipart\//i.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError("invalid_request", "Send the body as JSON, not as a form.", { status: 415 });
  }
  if (!/^(identity)?$/i.test(request.headers.get("content-encoding")?.trim() ?? "")) {
    throw new ApiError("invalid_request", "Send the body without Content-Encoding: it is never decompressed.", {
      status: 415,
    });
  }
  return readBytes(request, kib * 1024, account);
}

/**
 * Reads a body, from the server in front if there is one.
 *
 * @param most largest size in bytes
 * @throws ApiError `invalid_request`: 413 if it is larger, 408 if it comes too slowly, 400 if it is incomplete or has a
 *   home key;
 *   `rate_limited` or `unavailable` if too many bodies are arriving
 */
export async function readBytes(request: ReadRequest, most: number, account?: string): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge(most);
  const read = request.readBody ?? rawBody();
  const bytes = await (read ? read(most, account) : readAll(request.body, most)).catch((cause) => {
    if (cause instanceof ApiError) throw cause;
    // The client has disconnected. That is not a failure of ours, whatever the socket's error is.
    throw new ApiError("invalid_request", "The body broke off. Send the request again.", { param: "body", cause });
  });
  if (bytes.byteLength > most) throw tooLarge(most);
  refuseHomeKeyInBody(bytes);
  return bytes;
}

/**
 * Parses a body as JSON.
 *
 * @throws ApiError `invalid_request`: 413 for more values than allowed, 400 for a body that is not JSON in UTF-8, is
 *   nested too deep or names a field twice
 */
export function parseJson(bytes: Uint8Array, { values }: BodyLimit): JsonBody {
  if (bytes.byteLength === 0) return { text: "", value: undefined };
  const text = decoded(bytes);
  const fault = text === undefined ? undefined : scanJson(text, { depth: BODY_DEPTH, values });
  if (fault) throw refusalOf(fault, values);
  try {
    if (text !== undefined) return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own message would quote the body.
  }
  throw new ApiError("invalid_request", "The body is not JSON in UTF-8. Check its quotes and commas.", {
    param: "body",
  });
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function refusalOf(fault: JsonFault, values: number): ApiError {
  if (fault.kind === "twice") {
    const param = PATH.test(fault.path) ? fault.path : "body";
    return new ApiError("invalid_request", "Send each field once.", { param });
  }
  if (fault.kind === "deep") {
    const message = `The body has lists or objects more than ${BODY_DEPTH} deep. Compare it with the API reference.`;
    return new ApiError("invalid_request", message, { param: "body" });
  }
  const message = `The body has over ${values.toLocaleString("en")} values. Send fewer.`;
  return new ApiError("invalid_request", message, { param: "body", status: 413 });
}

/** Field names are the caller's own text, so repeat only what looks like a field name. */
const PATH = /^[A-Za-z_][\w-]{0,39}(\.[A-Za-z_][\w-]{0,39}){0,5}$/;

/**
 * Reads a stream of at most this many bytes.
 *
 * @throws ApiError `invalid_request`
 */
async function readAll(stream: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array> {
  if (!stream) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.byteLength;
    if (length > most) {
      await reader.cancel();
      throw tooLarge(most);
    }
    chunks.push(value);
  }
  return Buffer.concat(chunks);
}

function tooLarge(most: number): ApiError {
  return new ApiError("invalid_request", `The body is over ${most / 1024} KiB. Send less.`, { status: 413 });
}
