import { isPage, machineFetch } from "./machine-fetch";

/** Asks for a response that needs no decoder (RFC 9110, section 12.5.3). */
export const NOT_ENCODED = { "accept-encoding": "identity" } as const;

/** Reports whether a response is encoded although {@link NOT_ENCODED} was sent. */
export function isEncoded(contentEncoding: string | readonly string[] | null | undefined): boolean {
  return !/^([\s,]|identity)*$/i.test(String(contentEncoding ?? ""));
}

/** A response was larger than the bound. */
export class ResponseTooLarge extends Error {
  override readonly name = "ResponseTooLarge";
}

/** The most bytes that are read of a response. The largest that a service or a node sends has a few megabytes. */
const MOST_RESPONSE_BYTES = 64 * 1024 * 1024;

/**
 * Returns a `fetch` that decodes nothing and reads a bounded response whole: a few bytes could decode to gigabytes, and
 * a decoder is no place for bytes that others chose. All requests to other servers go through it; the linter refuses
 * `fetch` elsewhere. In a browser, which alone chooses the encodings, only the size is bounded.
 *
 * @param fetchWith used instead of {@link machineFetch}; what it decodes is its own affair
 * @returns a function that rejects with Error for an encoded response, with ResponseTooLarge for one over `most` bytes
 */
export function plainFetch(fetchWith: typeof fetch = machineFetch, most = MOST_RESPONSE_BYTES): typeof fetch {
  return async (input, init) => {
    const given = init?.headers ?? (input instanceof Request ? input.headers : undefined);
    const headers = { ...Object.fromEntries(new Headers(given)), ...NOT_ENCODED };
    return plainResponse(await fetchWith(input, { ...init, headers }), most);
  };
}

async function plainResponse(response: Response, most: number): Promise<Response> {
  const { body, status, statusText, headers } = response;
  if (isEncoded(headers.get("content-encoding")) && !isPage()) {
    // An encoded body may be broken, which is no reason of its own.
    await body?.cancel().catch(() => {});
    throw new Error("The response has an encoding that was not asked for.");
  }
  if (!body) return response;
  const bytes = await readBounded(body, most);
  return new Response(bytes.length > 0 ? bytes : null, { status, statusText, headers });
}

async function readBounded(body: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = body.getReader();
  for (let part = await reader.read(); part.value; part = await reader.read()) {
    length += part.value.length;
    if (length > most) {
      await reader.cancel();
      throw new ResponseTooLarge(`The response has over ${most} bytes.`);
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(length);
  for (const part of parts.reverse()) {
    length -= part.length;
    whole.set(part, length);
  }
  return whole;
}
