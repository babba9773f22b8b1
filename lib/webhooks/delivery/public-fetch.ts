import { fetch as undiciFetch } from "undici";
import { urlRefusal } from "../check-url";
import { Sender } from "./sender";

/** The most bytes of a response that are read; the rest is dropped. */
const MOST_BYTES = 256 * 1024;

/** The request was refused. The message says why. */
export class UrlRefused extends Error {
  override readonly name = "UrlRefused";
}

let shared: Sender | undefined;

/**
 * Returns a `fetch` for URLs that someone else supplies. It connects only to public https addresses, each resolved and
 * checked for that connection. It follows no redirects, sends no credentials or cookies, and reads at most 256 KiB of a
 * response.
 *
 * @param local whether the network is a local chain, which also allows `localhost` and `127.0.0.1`
 * @param sender for tests
 * @returns a function that rejects with UrlRefused for a refused URL
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
