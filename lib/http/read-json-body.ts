import { ApiError } from "@/lib/errors";
import { duplicateKey } from "./duplicate-key";
import type { PlainRequest } from "./plain-response";
import type { ReadRawBody } from "./raw-body";

/** The largest body, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** A body's text and its parsed value. If no body was sent, `text` is empty and `value` undefined. */
interface JsonBody {
  text: string;
  value: unknown;
}

/** The largest body for routes that accept larger ones. */
export const MAX_LARGE_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads a request's body as JSON, whatever its content type, because plain `curl -d` says that it is a form.
 *
 * @param past reads the body of a GET, which only the server in front can access
 * @param most largest size in bytes
 * @throws ApiError `invalid_request`: 413 if it is larger, 415 for multipart or a content encoding, 400 for a body that
 *   is not JSON in UTF-8, names a field twice or is incomplete
 */
export async function readJsonBody(
  request: Pick<PlainRequest, "headers" | "body">,
  past?: ReadRawBody,
  most = MAX_BODY_BYTES,
): Promise<JsonBody> {
  if (/^\s*multipart\//i.test(request.headers.get("content-type") ?? "")) {
    throw new ApiError("invalid_request", "Send the body as JSON, not as a form.", { status: 415 });
  }
  if (!/^(identity)?$/i.test(request.headers.get("content-encoding")?.trim() ?? "")) {
    throw new ApiError("invalid_request", "Send the body without Content-Encoding: it is never decompressed.", {
      status: 415,
    });
  }
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge(most);
  const bytes = await (past ? past(most) : readAll(request.body, most)).catch((cause) => {
    if (cause instanceof ApiError) throw cause;
    // The client has disconnected. That is not a failure of ours, whatever the socket's error is.
    throw new ApiError("invalid_request", "The body broke off. Send the request again.", { param: "body", cause });
  });
  if (bytes.byteLength > most) throw tooLarge(most);
  if (bytes.byteLength === 0) return { text: "", value: undefined };
  const body = parsed(bytes);
  const twice = duplicateKey(body.text);
  if (twice === undefined) return body;
  throw new ApiError("invalid_request", "Send each field once.", { param: PATH.test(twice) ? twice : "body" });
}

/** Field names are the caller's own text, so repeat only what looks like a field name. */
const PATH = /^[A-Za-z_][\w-]{0,39}(\.[A-Za-z_][\w-]{0,39}){0,5}$/;

function parsed(bytes: Uint8Array): JsonBody {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own message would quote the body.
    throw new ApiError("invalid_request", "The body is not JSON in UTF-8. Check its quotes and commas.", {
      param: "body",
    });
  }
}

/**
 * Reads a stream of at most this many bytes.
 *
 * @throws ApiError `invalid_request`
 */
export async function readAll(stream: ReadableStream<Uint8Array> | null, most: number): Promise<Uint8Array> {
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
