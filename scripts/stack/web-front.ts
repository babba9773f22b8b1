import { createServer, type IncomingMessage, request as requestOf, type Server, type ServerResponse } from "node:http";

/** Headers that belong to one connection (RFC 9110, 7.6.1). */
const OF_CONNECTION = new Set(["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"]);

const AWAY = JSON.stringify({ error: { code: "unavailable", message: "No web process is up just now. Try again." } });

/**
 * A plain proxy over several web processes, as any load balancer is one: each request goes to the next process, and to
 * another one only if none of it was sent. It repeats nothing, keeps nothing, and passes streams on as they come.
 */
export class WebFront {
  private readonly server: Server;
  private next = 0;

  constructor(
    private readonly listen: { port: number; host: string },
    private readonly targets: readonly number[],
  ) {
    this.server = createServer((request, response) => this.pass(request, response, this.targets.length));
    // The processes behind bound how long a client may take.
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

  private pass(request: IncomingMessage, response: ServerResponse, tries: number): void {
    if (tries === 0) {
      response.writeHead(503, { "content-type": "application/json", "retry-after": "1", "cache-control": "no-store" });
      response.end(AWAY);
      return;
    }
    const port = this.targets[this.next++ % this.targets.length];
    const upstream = requestOf({
      host: "127.0.0.1",
      port,
      method: request.method,
      path: request.url,
      headers: forwarded(request),
      // A connection of its own: on a kept one a request can be lost that may not be repeated.
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
      // A response that breaks off must not look whole.
      reply.once("close", () => reply.complete || response.destroy());
    });
    upstream.once("error", () => {
      if (!sent) this.pass(request, response, tries - 1);
      else response.destroy();
    });
    response.once("close", () => upstream.destroy());
  }
}

/** The request's headers with its caller's address, as a flat list: several of one name stay several. */
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
