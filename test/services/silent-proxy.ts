import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

/** What forwards TCP connections until it goes silent: then nothing arrives, and no error either. */
export interface SilentProxy {
  /** The address of what is behind it, by way of the proxy. */
  url: string;
  /** Forwards nothing on the connections there are; with `all`, on later ones neither. */
  silence(all?: boolean): void;
  /** Forwards on later connections again. */
  serve(): void;
  /** Forwards on all connections again, and what was sent meanwhile. */
  resume(): void;
  /** Forwards on later connections again, and closes those that are silent. */
  cut(): void;
  stop(): Promise<void>;
}

type Pair = readonly [client: Socket, server: Socket];

/** Starts a proxy before a server. Both sides of a silent connection go on acknowledging what they get. */
export async function startSilentProxy(targetUrl: string): Promise<SilentProxy> {
  const target = new URL(targetUrl);
  const pairs = new Set<Pair>();
  const silenced = new Set<Pair>();
  let silent = false;
  const forward = (pair: Pair) => {
    silenced.delete(pair);
    const [client, server] = pair;
    client.pipe(server);
    server.pipe(client);
  };
  const mute = (pair: Pair) => {
    silenced.add(pair);
    for (const socket of pair) socket.unpipe().pause();
  };
  const destroy = (pair: Pair) => {
    for (const socket of pair) socket.destroy();
  };
  const proxy = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const at = { host: target.hostname, port: Number(target.port) };
    const server = createConnection({ ...at, allowHalfOpen: true, noDelay: true });
    const pair: Pair = [client, server];
    pairs.add(pair);
    for (const [socket, other] of [pair, [server, client]] as const) {
      socket.on("error", () => {});
      socket.on("close", (failed) => {
        if (client.destroyed && server.destroyed) pairs.delete(pair);
        // The other side of a silent connection learns nothing.
        if (silenced.has(pair)) return;
        if (failed) other.destroy();
        else other.end();
      });
    }
    if (silent) mute(pair);
    else forward(pair);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    silence(all = false) {
      silent = all;
      for (const pair of pairs) mute(pair);
    },
    serve() {
      silent = false;
    },
    resume() {
      silent = false;
      for (const pair of [...silenced]) forward(pair);
    },
    cut() {
      silent = false;
      for (const pair of [...silenced]) {
        silenced.delete(pair);
        pairs.delete(pair);
        destroy(pair);
      }
    },
    async stop() {
      for (const pair of pairs) destroy(pair);
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
