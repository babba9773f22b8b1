import type { AddressInfo } from "node:net";
import { connect, createServer, type Server, type Socket } from "node:net";

/** A proxy in front of a service that can be closed, so that the service disappears and returns for one client only. */
export class Gate {
  private readonly sockets = new Set<Socket>();
  private port = 0;
  private server?: Server;

  constructor(private readonly behind: string) {}

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async open(): Promise<void> {
    const { hostname, port } = new URL(this.behind);
    const server = createServer((client) => {
      const service = connect(Number(port), hostname);
      for (const [socket, other] of [
        [client, service],
        [service, client],
      ] as const) {
        this.sockets.add(socket);
        socket.pipe(other);
        socket.on("error", () => other.destroy());
        socket.on("close", () => {
          this.sockets.delete(socket);
          other.destroy();
        });
      }
    });
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  async shut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
