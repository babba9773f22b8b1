import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";

/** What forwards TCP connections until it goes silent: then nothing arrives, and no error either. */
export interface SilentProxy {
  /** The address of the database behind it, by way of the proxy. */
  url: string;
  /** Forwards nothing on the connections there are; with `all`, on later ones neither. */
  silence(all?: boolean): void;
  /** Forwards on later connections again. */
  serve(): void;
  stop(): Promise<void>;
}

/** Starts a proxy before a database. Both sides of a silent connection go on acknowledging what they get. */
export async function startSilentProxy(databaseUrl: string): Promise<SilentProxy> {
  const target = new URL(databaseUrl);
  const pairs = new Set<[Socket, Socket]>();
  let silent = false;
  const mute = ([client, server]: [Socket, Socket]) => {
    for (const socket of [client, server]) socket.unpipe().removeAllListeners("end").resume();
  };
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = createConnection({ host: target.hostname, port: Number(target.port), allowHalfOpen: true });
    const pair: [Socket, Socket] = [client, server];
    pairs.add(pair);
    client.pipe(server);
    server.pipe(client);
    for (const socket of pair) socket.on("error", () => {});
    if (silent) mute(pair);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(databaseUrl);
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
    async stop() {
      for (const socket of [...pairs].flat()) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
