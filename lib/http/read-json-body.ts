import { ApiError } from "@/lib/errors";
import { duplicateKey } from "./duplicate-key";
import type { PlainRequest } from "./plain-response";
import type { ReadRawBody } from "./raw-body";

/** The most a body may hold, in bytes. */
export const MAX_BODY_BYTES = 64 * 1024;

/** A body as it was sent, and what it says. `text` is empty, `value` undefined when none was sent. */
interface JsonBody {
  text: string;
  value: unknown;
}

/** What one may hold where a route takes more. */
export const MAX_LARGE_BODY_BYTES = 4 * 1024 * 1024;

/**
 * Reads a request's body as JSON whatever its content type says: plain `curl -d` calls it a form.
 *
 * @param past reads the body of a GET, which only the server in front can see
 * @param most bytes it may hold
 * @throws ApiError `invalid_request`: 413 over that, 415 for multipart or a content encoding, 400 for what is not JSON
 * in UTF-8, names a field twice or breaks off
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
    // No one is left to read this; it is no failure of ours, whatever the socket's error is called.
    throw new ApiError("invalid_request", "The body broke off. Send the request again.", { param: "body", cause });
  });
  if (bytes.byteLength > most) throw tooLarge(most);
  if (bytes.byteLength === 0) return { text: "", value: undefined };
  const body = parsed(bytes);
  const twice = duplicateKey(body.text);
  if (twice === undefined) return body;
  throw new ApiError("invalid_request", "Send each field once.", { param: PATH.test(twice) ? twice : "body" });
}

/** Names are the caller's own text: only what looks like a field is repeated. */
const PATH = /^[A-Za-z_][\w-]{0,39}(\.[A-Za-z_][\w-]{0,39}){0,5}$/;

function parsed(bytes: Uint8Array): JsonBody {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return { text, value: JSON.parse(text) };
  } catch {
    // The parser's own message quotes the body.
    throw new ApiError("invalid_request", "The body is not JSON in UTF-8. Check its quotes and commas.", {
      param: "body",
    });
  }
}

/** Reads a stream of at most so many bytes. @throws ApiError `invalid_request` */
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
