import { fetch as undiciFetch } from "undici";
import { urlRefusal } from "../check-url";
import { Sender } from "./sender";

/** Bytes of a response that are read; of a longer one the rest is left out. */
const MOST_BYTES = 256 * 1024;

/** Why a URL that someone else named is not requested. */
export class UrlRefused extends Error {
  override readonly name = "UrlRefused";
}

let shared: Sender | undefined;

/**
 * A `fetch` of addresses that someone else names: to public https addresses alone, each connection to an address that was
 * resolved and checked for it, without redirects, credentials or cookies of ours, and no more than 256 KiB of a response.
 *
 * @param local the network's chain is the local stack's: `localhost` and `127.0.0.1` are fine
 * @param sender tests have their own
 * @returns rejects with UrlRefused for an address that is not requested
 */
export function publicFetch(local: boolean, sender?: Sender): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const refusal = urlRefusal(request.url, local);
    if (refusal !== null) throw new UrlRefused(refusal);
    if (!sender) shared ??= new Sender();
    const body = request.body ? await request.arrayBuffer() : undefined;
    const response = await undiciFetch(request.url, {
      method: request.method,
      headers: { "user-agent": "Halcyon-MCP/1", ...Object.fromEntries(request.headers) },
      redirect: "manual",
      signal: request.signal,
      dispatcher: (sender ?? (shared as Sender)).agent(local),
      ...(body && { body }),
    });
    if (response.status >= 300 && response.status < 400 && response.status !== 304) {
      await response.body?.cancel();
      throw new UrlRefused("redirects to another address");
    }
    const bytes = await firstBytes(response.body as ReadableStream<Uint8Array> | null);
    const empty = bytes.byteLength === 0;
    return new Response(empty ? null : (bytes as BodyInit), {
      status: response.status,
      headers: [...response.headers].filter(([name]) => !/^content-(encoding|length)$/.test(name)),
    });
  };
}

async function firstBytes(stream: ReadableStream<Uint8Array> | null): Promise<Uint8Array> {
  if (!stream) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  while (length < MOST_BYTES) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks);
    chunks.push(value);
    length += value.byteLength;
  }
  await reader.cancel();
  return Buffer.concat(chunks).subarray(0, MOST_BYTES);
}
