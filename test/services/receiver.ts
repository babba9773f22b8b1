import { readFileSync } from "node:fs";
import { createServer as createHttpServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { fileURLToPath } from "node:url";

const pem = (name: string) => readFileSync(fileURLToPath(new URL(`tls/${name}.pem`, import.meta.url)), "utf8");

/**
 * The certificate authority of test receivers. Its certificate is valid for `localhost`, and nothing else trusts it.
 */
export const authority = () => pem("authority");

/** A request that a receiver got. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

/** Responds to the receiver's n-th request (from 1). */
export type Responder = (response: ServerResponse, received: Received, n: number) => void;

/** A real web server that receives webhooks over HTTP or HTTPS. */
export class Receiver {
  readonly received: Received[] = [];
  /** How many connections were made to it. */
  connections = 0;
  /** How many requests it is handling now, and the most there were. */
  atOnce = 0;
  mostAtOnce = 0;
  respond: Responder = (response) => response.writeHead(204).end();
  private readonly sockets = new Set<Socket>();
  private readonly server;

  private constructor(private readonly scheme: "http" | "https") {
    const onRequest = (request: import("node:http").IncomingMessage, response: ServerResponse) => {
      const chunks: Buffer[] = [];
      this.atOnce += 1;
      this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
      response.once("close", () => {
        this.atOnce -= 1;
      });
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString();
        const received = { path: request.url ?? "", headers: request.headers, body, at: performance.now() };
        this.received.push(received);
        this.respond(response, received, this.received.length);
      });
    };
    this.server =
      scheme === "http"
        ? createHttpServer(onRequest)
        : createHttpsServer({ key: pem("receiver-key"), cert: pem("receiver-cert") }, onRequest);
    this.server.on("connection", (socket: Socket) => {
      this.connections += 1;
      this.sockets.add(socket);
      socket.once("close", () => this.sockets.delete(socket));
    });
  }

  /** @param host the address to listen at; `::1` for IPv6 */
  static async start(scheme: "http" | "https" = "http", host = "127.0.0.1", port = 0): Promise<Receiver> {
    const receiver = new Receiver(scheme);
    await new Promise<void>((resolve, reject) => {
      receiver.server.once("error", reject);
      receiver.server.listen(port, host, resolve);
    });
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  url(path = "/hook"): string {
    return `${this.scheme}://localhost:${this.port}${path}`;
  }

  /** Waits until it got `count` requests. `ms` allows for a busy machine and guarantees nothing. */
  async until(count: number, ms = 240_000): Promise<void> {
    for (const end = Date.now() + ms; this.received.length < count; ) {
      if (Date.now() > end) throw new Error(`${this.received.length} of ${count} requests came`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Waits until no request is open: this end sees a closed connection later than the other end. */
  async untilIdle(ms = 120_000): Promise<void> {
    for (const end = Date.now() + ms; this.atOnce > 0; ) {
      if (Date.now() > end) throw new Error(`${this.atOnce} requests are open`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Resets all connections. */
  reset(): void {
    for (const socket of this.sockets) socket.resetAndDestroy();
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
