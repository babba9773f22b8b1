import { createConnection, createServer, type Server, type Socket } from "node:net";
import { StackError } from "./config";

/** A client's connection and the one to anvil behind it. */
interface Link {
  client: Socket;
  upstream: Socket;
  /** What anvil said while responses were held. */
  waiting: Buffer[];
  /** anvil ended the connection; so do we, once all of it is passed on. */
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
 * What clients of a local chain reach: anvil itself listens where no one looks for it. While blocks are restored they
 * get a 503, so nothing of theirs gets into blocks of the past; while a block is made, what anvil says waits until
 * the block is in the journal, so no one sees one that a crash could undo. It passes bytes on as they are, HTTP and
 * WebSocket alike.
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

  /** Begins to listen; closed until `open`. */
  async listen(): Promise<void> {
    if (this.server.listening) return;
    await new Promise<void>((resolve, reject) => {
      this.server.once("error", ({ message }) => reject(new StackError(`The local chain cannot listen: ${message}`)));
      this.server.listen(this.port, "127.0.0.1", resolve);
    });
  }

  /** Passes clients on to the anvil at this port. */
  open(target: number): void {
    this.target = target;
  }

  /** Cuts all connections; from now on clients get a 503. */
  close(): void {
    this.target = undefined;
    this.cut();
  }

  /**
   * Holds back what anvil says until `work` has succeeded. When it fails no one gets to see it: connections are cut.
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

  /** Ends it. */
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

  /** Returns once something was asked: a client that has not spoken would take a response for a broken connection. */
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
