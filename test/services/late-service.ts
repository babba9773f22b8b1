import { createConnection, createServer, type Server } from "node:net";
import { freePort } from "./free-port";

/** A port without a listener, until it is opened and forwards to a service on this machine. */
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
      // If one end breaks off, so does the other.
      socket.on("error", () => service.destroy());
      service.on("error", () => socket.destroy());
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(this.port, "127.0.0.1", resolve));
  }

  /** Accepts no more connections. Existing ones continue. */
  close(): void {
    this.server?.close();
  }
}
