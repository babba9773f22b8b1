import type { IncomingMessage } from "node:http";

/** Where a preloaded test puts a `fetch` that the whole process asks by. */
const REPLACED = Symbol.for("halcyon.fetch");
const MOST_REDIRECTS = 20;
// Shorter than the 5 s after which some servers, such as Node's, close idle connections without notice.
const KEEP_ALIVE_MS = 4_000;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const WITHOUT_BODY = new Set([204, 205, 304]);
/** Fields that describe a body, and fields that are for one server only. */
const OF_BODY = ["content-type", "content-encoding", "content-language", "content-location"];
const OF_SERVER = ["authorization", "cookie", "proxy-authorization", "host"];
/** Fields that Node sets itself. */
const OF_CONNECTION = ["connection", "content-length", "keep-alive", "transfer-encoding", "upgrade"];

let agents: ReturnType<typeof agentsOf> | undefined;

function agentsOf() {
  const kept = { keepAlive: true, scheduling: "lifo", timeout: KEEP_ALIVE_MS } as const;
  // Not imported: a bundle for browsers must not name modules of Node, even if no page loads this.
  const [http, https] = [process.getBuiltinModule("node:http"), process.getBuiltinModule("node:https")];
  return {
    "http:": { request: http.request, agent: new http.Agent(kept) },
    "https:": { request: https.request, agent: new https.Agent(kept) },
  };
}

const failed = (cause: unknown) => new TypeError("fetch failed", { cause });

/**
 * Does what Node's `fetch` does, by `node:http`. That one hands a body to a decoder as soon as the headers name an
 * encoding, and takes an interim response, such as `100 Continue`, for a broken connection. This one decodes nothing,
 * and reads past interim responses (RFC 9110, 15.2).
 */
export async function nodeFetch(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
  const { [REPLACED]: replaced } = globalThis as { [REPLACED]?: typeof fetch };
  if (replaced) return replaced(input, init);
  agents ??= agentsOf();
  const asked = new Request(input, init);
  // A request's own signal follows the caller's only for as long as the request is referenced.
  const signal = init?.signal ?? asked.signal;
  const stopped = (cause: unknown) => (signal.aborted || asked.signal.aborted ? signal.reason : failed(cause));
  const headers = new Headers({ accept: "*/*", "user-agent": "node", ...Object.fromEntries(asked.headers) });
  let { method } = asked;
  let body = asked.body && new Uint8Array(await asked.arrayBuffer());
  let url = new URL(asked.url);
  for (let redirects = 0; ; redirects++) {
    const by = agents[url.protocol as keyof typeof agents];
    if (!by || (redirects > 0 && (url.username || url.password))) throw failed(new Error("no address of http"));
    for (const name of OF_CONNECTION) headers.delete(name);
    if (body || /^P/.test(method)) headers.set("content-length", String(body?.length ?? 0));
    const options = { method, headers: Object.fromEntries(headers), signal, agent: by.agent };
    const received = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = by.request(url, options, resolve);
      sent.on("error", (cause) => reject(stopped(cause)));
      sent.end(body ?? undefined);
    });
    // An error before the body is read: reading it says so.
    received.on("error", () => {});
    const { statusCode: status = 0 } = received;
    const { location } = received.headers;
    if (location === undefined || !REDIRECTS.has(status) || asked.redirect === "manual") {
      return responseOf(received, stopped, { url: url.href, redirected: redirects > 0 });
    }
    received.destroy();
    if (asked.redirect === "error" || redirects === MOST_REDIRECTS) throw failed(new Error("unexpected redirect"));
    if (!URL.canParse(location, url.href)) throw failed(new Error("redirect to no address"));
    const next = new URL(location, url);
    if (status === 303 ? method !== "HEAD" : status <= 302 && method === "POST") {
      method = "GET";
      body = null;
      for (const name of OF_BODY) headers.delete(name);
    }
    if (next.origin !== url.origin) for (const name of OF_SERVER) headers.delete(name);
    url = next;
  }
}

function responseOf(
  received: IncomingMessage,
  stopped: (cause: unknown) => unknown,
  about: { url: string; redirected: boolean },
): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = received;
  const headers = new Headers();
  for (let at = 0; at < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
  let body: ReadableStream<Uint8Array> | null = null;
  if (WITHOUT_BODY.has(status)) {
    received.resume();
  } else {
    const chunks: AsyncIterator<Uint8Array> = received[Symbol.asyncIterator]();
    body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await chunks.next().catch((cause: unknown) => {
          throw stopped(cause);
        });
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel() {
        received.destroy();
      },
    });
  }
  const response = new Response(body, { status, statusText, headers });
  return Object.defineProperties(response, { url: { value: about.url }, redirected: { value: about.redirected } });
}
