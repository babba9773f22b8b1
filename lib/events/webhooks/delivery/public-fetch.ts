import { type Dispatcher, request as send } from "undici";
import { isEncoded, NOT_ENCODED } from "@/lib/base/plain-fetch";
import { urlRefusal } from "@/lib/events/webhooks/check-url";
import { DeliverySender } from "./sender";

/** The most bytes of a response that are read; the rest is dropped. */
const MOST_BYTES = 256 * 1024;

/** The request was refused. The message says why. */
export class UrlRefused extends Error {
  override readonly name = "UrlRefused";
}

let shared: DeliverySender | undefined;

/**
 * Returns a `fetch` for URLs that someone else supplies. It connects only to public https addresses, each resolved and
 * checked for that connection. It follows no redirects, sends no credentials or cookies, and reads at most 256 KiB of a
 * response. It decodes nothing: a decoder is no place for bytes that anyone chose (CVE-2026-111497).
 *
 * @param local whether the network is a local chain, which also allows `localhost` and `127.0.0.1`
 * @param sender for tests
 * @returns a function that rejects with UrlRefused for a refused URL
 */
export function publicFetch(local: boolean, sender?: DeliverySender): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const refusal = urlRefusal(request.url, local);
    if (refusal !== null) throw new UrlRefused(refusal);
    if (!sender) shared ??= new DeliverySender();
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : null;
    const headers = { "user-agent": "Halcyon-MCP/1", ...Object.fromEntries(request.headers), ...NOT_ENCODED };
    const response = await send(request.url, {
      method: request.method as Dispatcher.HttpMethod,
      headers,
      signal: request.signal,
      dispatcher: (sender ?? (shared as DeliverySender)).agent(local),
      body,
    }).catch((cause) => {
      // As `fetch` does.
      throw request.signal.aborted ? request.signal.reason : new TypeError("fetch failed", { cause });
    });
    const refused = refusalOf(response);
    if (refused) {
      response.body.once("error", () => {}).destroy();
      throw new UrlRefused(refused);
    }
    const bytes = await firstBytes(response.body);
    const received = Object.entries(response.headers).flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    );
    return new Response(bytes.byteLength === 0 ? null : (bytes as BodyInit), {
      status: response.statusCode,
      headers: received.filter(([name]) => !/^content-(encoding|length)$/.test(name)),
    });
  };
}

function refusalOf({ statusCode, headers }: Dispatcher.ResponseData): string | undefined {
  if (statusCode >= 300 && statusCode < 400 && statusCode !== 304) return "redirects to another address";
  return isEncoded(headers["content-encoding"]) ? "responds with an encoding that was not asked for" : undefined;
}

async function firstBytes(body: AsyncIterable<Buffer>): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.byteLength;
    if (length >= MOST_BYTES) break;
  }
  return Buffer.concat(chunks).subarray(0, MOST_BYTES);
}
