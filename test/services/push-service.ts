import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that a push service received. */
export interface PushRequest {
  method: string | undefined;
  headers: IncomingHttpHeaders;
  /** Encrypted for the browser. */
  body: Buffer;
}

/** A push service on this machine (RFC 8030) that stores messages for inspection. */
export class PushService {
  readonly received: PushRequest[] = [];
  /** The status it responds with. */
  status = 201;
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      this.received.push({ method: request.method, headers: request.headers, body: Buffer.concat(chunks) });
      response.writeHead(this.status, { location: `${this.url}/elsewhere` }).end();
    });
  });

  static async start(): Promise<PushService> {
    const service = new PushService();
    await new Promise<void>((resolve) => service.server.listen(0, "127.0.0.1", resolve));
    return service;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
