import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** A received POST, with the body's raw bytes. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: Record<string, unknown> & { event: string; event_id: string };
  at: Date;
}

/** A webhook receiver on this machine. Returns 204 by default. */
export class Receiver {
  readonly received: Received[] = [];
  /** Returns the status to respond with, per request. */
  respond: (request: Received) => number = () => 204;

  private constructor(private readonly server: Server) {}

  static async open(): Promise<Receiver> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const body = Buffer.concat(chunks).toString("utf8");
        const { url = "", headers } = request;
        const received = { path: url, headers, body, event: JSON.parse(body), at: new Date() };
        receiver.received.push(received);
        response.writeHead(receiver.respond(received), { "content-type": "text/plain" }).end();
      });
    });
    const receiver = new Receiver(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return receiver;
  }

  /** Returns its address. `Received.path` distinguishes deliveries to different paths. */
  url(path = "/hook"): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Returns the event types received at a path, in order of arrival. */
  types(path = "/hook"): string[] {
    return this.received.filter((one) => one.path === path).map(({ event }) => event.event);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
