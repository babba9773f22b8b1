/** Asks for a response that needs no decoder (RFC 9110, section 12.5.3). */
export const NOT_ENCODED = { "accept-encoding": "identity" } as const;

/** Reports whether a response is encoded although {@link NOT_ENCODED} was sent. */
export function isEncoded(contentEncoding: string | readonly string[] | null | undefined): boolean {
  return [contentEncoding ?? []]
    .flat()
    .flatMap((codings) => codings.split(","))
    .some((coding) => !/^(identity)?$/i.test(coding.trim()));
}

/** A response was larger than the bound. */
export class ResponseTooLarge extends Error {
  override readonly name = "ResponseTooLarge";
}

/** The most bytes that are read of a response. The largest that a service or a node sends has a few megabytes. */
export const MOST_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Returns a `fetch` that decodes nothing and reads a bounded response whole: a few bytes could decode to gigabytes, and
 * a decoder is no place for bytes that others chose. All requests to other servers go through it; the linter refuses
 * `fetch` elsewhere. In a browser, which alone chooses the encodings, only the size is bounded.
 *
 * @param fetchWith used instead of this machine's `fetch`
 * @returns a function that rejects with Error for an encoded response, with ResponseTooLarge for one over `most` bytes
 */
export function plainFetch(fetchWith?: typeof fetch, most = MOST_RESPONSE_BYTES): typeof fetch {
  return async (input, init) => {
    const given = init?.headers ?? (input instanceof Request ? input.headers : undefined);
    const headers = { ...Object.fromEntries(new Headers(given)), ...NOT_ENCODED };
    // Not called as a method: a browser's fetch works only on its own global object.
    return plainResponse(await (fetchWith ?? fetch)(input, { ...init, headers }), most);
  };
}

/**
 * Reads a response of {@link plainFetch}, or of a library that was given {@link NOT_ENCODED} to send.
 *
 * @throws Error if it is encoded; ResponseTooLarge if it has over `most` bytes, of which the rest is not read
 */
export async function plainResponse(response: Response, most = MOST_RESPONSE_BYTES): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (isEncoded(headers.get("content-encoding")) && choosesEncodings()) {
    // An encoded body may be broken, which is no reason of its own.
    await body?.cancel().catch(() => {});
    throw new Error("The response has an encoding that was not asked for.");
  }
  if (body === null) return response;
  const bytes = await readBounded(body, most);
  return new Response(bytes.byteLength === 0 ? null : bytes, { status, statusText, headers });
}

/** Reports whether a request's `Accept-Encoding` is sent as it was set. A browser drops it. */
function choosesEncodings(): boolean {
  return new Request("http://localhost", { headers: NOT_ENCODED }).headers.has("accept-encoding");
}

async function readBounded(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); part.value !== undefined; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new ResponseTooLarge(`The response has over ${most} bytes.`);
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
