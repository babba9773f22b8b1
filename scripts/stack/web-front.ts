import { createServer, type IncomingMessage, request as requestOf, type Server, type ServerResponse } from "node:http";

/** Hop-by-hop headers (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

const AWAY = JSON.stringify({ error: { code: "unavailable", message: "No web process is up just now. Try again." } });

/**
 * A plain proxy over several web processes, like any load balancer. Each request goes to the next process, and to
 * another one only if none of it was sent. It retries nothing else, stores nothing, and passes streams on as they
 * arrive.
 */
export class WebFront {
  private readonly server: Server;
  private next = 0;

  constructor(
    private readonly listen: { port: number; host: string },
    /** Returns the ports of the processes that may get a request for an address. */
    private readonly targetsOf: (address: string) => readonly number[],
  ) {
    this.server = createServer((request, response) => {
      const targets = this.targetsOf(request.url ?? "/");
      this.pass(request, response, targets, targets.length);
    });
    // The web processes limit how long a client may take.
    this.server.requestTimeout = 0;
  }

  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.server.once("error", reject);
      this.server.listen(this.listen.port, this.listen.host, resolve);
    });
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private pass(request: IncomingMessage, response: ServerResponse, targets: readonly number[], tries: number): void {
    if (tries === 0) {
      response.writeHead(503, { "content-type": "application/json", "retry-after": "1", "cache-control": "no-store" });
      response.end(AWAY);
      return;
    }
    const port = targets[this.next++ % targets.length];
    const upstream = requestOf({
      host: "127.0.0.1",
      port,
      method: request.method,
      path: request.url,
      headers: forwarded(request),
      // A new connection for each request. On a kept-alive connection, a request that must not be repeated could be
      // lost.
      agent: false,
    });
    let sent = false;
    upstream.once("socket", (socket) =>
      socket.once("connect", () => {
        sent = true;
        request.pipe(upstream);
      }),
    );
    upstream.once("response", (reply) => {
      response.writeHead(reply.statusCode ?? 502, reply.statusMessage, ofMessage(reply));
      reply.pipe(response);
      // A truncated response must not look complete.
      reply.once("close", () => reply.complete || response.destroy());
    });
    upstream.once("error", () => {
      if (!sent) this.pass(request, response, targets, tries - 1);
      else response.destroy();
    });
    response.once("close", () => upstream.destroy());
  }
}

/** Returns the request's headers with its caller's address, as a flat list, in which repeated headers stay separate. */
function forwarded(request: IncomingMessage): string[] {
  const before = request.headers["x-forwarded-for"];
  const chain = [before, request.socket.remoteAddress].flat().filter(Boolean).join(", ");
  const body = request.headers["transfer-encoding"] === undefined ? [] : ["transfer-encoding", "chunked"];
  return [...ofMessage(request, "x-forwarded-for"), "x-forwarded-for", chain, "connection", "close", ...body];
}

function ofMessage({ rawHeaders }: IncomingMessage, without?: string): string[] {
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? "";
    if (OF_CONNECTION.has(name.toLowerCase()) || name.toLowerCase() === without) continue;
    kept.push(name, rawHeaders[at + 1] ?? "");
  }
  return kept;
}
