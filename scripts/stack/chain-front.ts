import { createConnection, createServer, type Server, type Socket } from "node:net";
import { StackError } from "./config";

/** A client's connection, and the one to anvil behind it. */
interface Link {
  client: Socket;
  upstream: Socket;
  /** anvil's output while responses were held back. */
  waiting: Buffer[];
  /** anvil has closed its side; ours closes once everything is passed on. */
  ended: boolean;
}

const AWAY_BODY = JSON.stringify({
  jsonrpc: "2.0",
  id: null,
  error: { code: -32000, message: "The local chain is restoring its blocks. Try again." },
});
const AWAY = [
  "HTTP/1.1 503 Service Unavailable",
  "Content-Type: application/json",
  `Content-Length: ${Buffer.byteLength(AWAY_BODY)}`,
  "Retry-After: 1",
  "Connection: close",
  "",
  AWAY_BODY,
].join("\r\n");
const SILENT_MS = 10_000;

/**
 * The proxy through which clients reach a local chain; anvil itself listens on another port. While blocks are being
 * restored, clients get a 503, so that nothing of theirs gets into past blocks. While a block is being made, anvil's
 * output is held back until the block is in the journal, so that no one sees a block that a crash could undo. Bytes are
 * passed on unchanged, for HTTP and WebSocket alike.
 */
export class ChainFront {
  private readonly server: Server;
  private readonly links = new Set<Link>();
  private readonly turnedAway = new Set<Socket>();
  private target?: number;
  private held = false;

  constructor(private readonly port: number) {
    this.server = createServer((client) => this.accept(client));
  }

  /** Starts to listen; clients get a 503 until `open`. */
  async listen(): Promise<void> {
    if (this.server.listening) return;
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", ({ message }) => reject(new StackError(`The local chain cannot listen: ${message}`)));
      this.server.listen(this.port, "127.0.0.1", resolve);
    });
  }

  /** Forwards clients to the anvil at this port. */
  open(target: number): void {
    this.target = target;
  }

  /** Closes all connections. From now on clients get a 503. */
  close(): void {
    this.target = undefined;
    this.cut();
  }

  /**
   * Holds anvil's output back until `work` has succeeded. If it fails, connections are closed, so that no one sees the
   * output.
   */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    this.held = true;
    try {
      const result = await work();
      this.held = false;
      for (const link of this.links) this.passOn(link);
      return result;
    } catch (error) {
      this.close();
      throw error;
    } finally {
      this.held = false;
    }
  }

  /** Stops the proxy. */
  async end(): Promise<void> {
    this.close();
    for (const socket of this.turnedAway) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(client: Socket): void {
    client.on("error", () => client.destroy());
    if (this.target === undefined) this.turnAway(client);
    else this.link(client, this.target);
  }

  private link(client: Socket, port: number): void {
    client.setNoDelay(true);
    const upstream = createConnection({ port, host: "127.0.0.1", noDelay: true });
    const link: Link = { client, upstream, waiting: [], ended: false };
    this.links.add(link);
    const drop = () => {
      this.links.delete(link);
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (chunk) => {
      if (!upstream.write(chunk)) client.pause();
    });
    upstream.on("drain", () => client.resume());
    client.on("close", drop);
    upstream.on("data", (chunk) => {
      link.waiting.push(chunk);
      this.passOn(link);
    });
    client.on("drain", () => upstream.resume());
    upstream.on("error", drop);
    upstream.on("close", () => {
      link.ended = true;
      this.passOn(link);
    });
  }

  private passOn({ client, upstream, waiting, ended }: Link): void {
    if (this.held) return;
    for (const chunk of waiting.splice(0)) if (!client.write(chunk)) upstream.pause();
    if (ended) client.end();
  }

  /**
   * Responds with a 503 once the client has sent something. A client that has not sent a request would take the
   * response for a broken connection.
   */
  private turnAway(client: Socket): void {
    this.turnedAway.add(client);
    client.on("close", () => this.turnedAway.delete(client));
    client.once("data", () => client.end(AWAY));
    client.setTimeout(SILENT_MS, () => client.destroy());
  }

  private cut(): void {
    for (const { client, upstream } of this.links) {
      client.destroy();
      upstream.destroy();
    }
    this.links.clear();
  }
}
