import { createConnection, createServer, type Server } from "node:net";
import { freePort } from "./free-port";

/** A port at which nothing listens, until it is opened and leads to a service on this machine. */
export class LateService {
  private server: Server | undefined;

  private constructor(readonly port: number) {}

  static async create(): Promise<LateService> {
    return new LateService(await freePort());
  }

  async open(target: number): Promise<void> {
    const server = createServer((socket) => {
      const service = createConnection(target, "127.0.0.1");
      socket.pipe(service).pipe(socket);
      // One end that breaks off takes the other along.
      socket.on("error", () => service.destroy());
      service.on("error", () => socket.destroy());
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
  }

  /** Takes no more connections; those there are continue. */
  close(): void {
    this.server?.close();
  }
}
