import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector } from "undici";
import { addressRefusal, isLoopback } from "@/lib/events/webhooks/address";

/** Resolves a host name to its addresses. Rejects if there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Thrown instead of connecting when a host may not be reached; `message` says why. */
class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  readonly code = "ADDRESS_REFUSED";
}

const CONNECT_MS = 10_000;
// Time limit for connecting to each address of a host but the last. Node's 250 ms are too short for distant hosts.
const ADDRESS_MS = 3_000;
// Shorter than the 5 s after which some servers, such as Node's, close idle connections without notice.
const KEEP_ALIVE_MS = 4_000;
const LOCAL_HOST = "localhost";

// Queries name servers directly, because the system's lookup would block the thread pool that everything else shares.
const resolver = new Resolver({ timeout: 3_000, tries: 2 });

/** Resolves both address families of a name. `localhost` is not looked up. */
const systemResolve: Resolve = async (host) => {
  if (host === LOCAL_HOST) return ["127.0.0.1", "::1"];
  const lookups = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = lookups.flatMap((lookup) => (lookup.status === "fulfilled" ? lookup.value : []));
  if (addresses.length > 0) return addresses;
  throw lookups[0].status === "rejected" ? lookups[0].reason : new Error("no address");
};

interface SenderOptions {
  resolve?: Resolve;
  /** PEM of additional certificate authorities, for tests. */
  ca?: string;
}

/**
 * Keep-alive connections to receivers. Each new connection goes to an address that was resolved and checked for that
 * connection, so DNS rebinding can't lead elsewhere. One agent serves public addresses; another also reaches this
 * machine as `localhost` and `127.0.0.1`, for endpoints of local chains.
 */
export class DeliverySender {
  private readonly world: Agent;
  private readonly local: Agent;

  constructor({ resolve = systemResolve, ca }: SenderOptions = {}) {
    const agent = (local: boolean) =>
      new Agent({
        connect: connector(local, resolve, ca),
        keepAliveTimeout: KEEP_ALIVE_MS,
        headersTimeout: 0, // an attempt has one time limit for everything
        bodyTimeout: 0,
      });
    this.world = agent(false);
    this.local = agent(true);
  }

  /** Returns the agent for endpoints of a network. `local`: whether the network is a local chain. */
  agent(local: boolean): Agent {
    return local ? this.local : this.world;
  }

  /** Closes all connections, including those in use. */
  async close(): Promise<void> {
    await Promise.all([this.world.destroy(), this.local.destroy()]);
  }
}

function refusalOf(local: boolean, host: string, address: string): string | null {
  const own = local && (host === LOCAL_HOST || host === "127.0.0.1");
  if (!own) return addressRefusal(address);
  return isLoopback(address) ? null : "is not this machine";
}

const INTERIM = Buffer.from("HTTP/1.1 1");
const UPGRADE = Buffer.from("HTTP/1.1 101");
const HEAD_END = "\r\n\r\n";
const LONGEST_HEAD = 16_384;

/** Reports whether bytes begin like an interim response, as far as they have arrived. */
const maybeInterim = (bytes: Buffer): boolean =>
  INTERIM.subarray(0, bytes.length).equals(bytes.subarray(0, INTERIM.length)) &&
  !UPGRADE.equals(bytes.subarray(0, UPGRADE.length));

/**
 * Drops the interim responses before a response, such as `100 Continue`. No request asks for that, but some receivers
 * send it. Clients have to read past it (RFC 9110, 15.2), and undici closes the connection instead.
 */
function withoutInterim(socket: Socket): Socket {
  const [read, write] = [socket.read.bind(socket), socket.write.bind(socket)];
  let held: Buffer | undefined; // may be the beginning of an interim one
  let begun = false; // the response has begun
  socket.write = ((...request: Parameters<Socket["write"]>) => {
    begun = false;
    return write(...request);
  }) as Socket["write"];
  socket.read = () => {
    for (;;) {
      const chunk: Buffer | null = read();
      if (chunk === null || begun) return chunk;
      let bytes = held ? Buffer.concat([held, chunk]) : chunk;
      while (maybeInterim(bytes) && bytes.includes(HEAD_END)) {
        bytes = bytes.subarray(bytes.indexOf(HEAD_END) + HEAD_END.length);
      }
      begun = !maybeInterim(bytes) || bytes.length > LONGEST_HEAD;
      held = begun ? undefined : bytes;
      if (begun) return bytes;
    }
  };
  return socket;
}

function connector(local: boolean, resolve: Resolve, ca?: string): buildConnector.connector {
  const lookup: LookupFunction = (host, { all }, callback) => {
    resolve(host).then(
      (addresses) => {
        for (const address of addresses) {
          const refusal = refusalOf(local, host, address);
          if (refusal !== null) {
            return callback(new AddressRefused(`${host} resolves to ${address}, which ${refusal}`), "");
          }
        }
        const list = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = list;
        if (!first) return callback(new Error("no address"), "");
        return all ? callback(null, list) : callback(null, first.address, first.family);
      },
      (error) => callback(error, ""),
    );
  };
  const connect = buildConnector({
    lookup,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_MS,
    timeout: CONNECT_MS,
    ...(ca === undefined ? {} : { ca }),
  });
  // A second line of defense: however the socket was made, use it only if its address is allowed.
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      const refusal = refusalOf(local, options.hostname, (socket as Socket).remoteAddress ?? "");
      if (refusal === null) return callback(null, withoutInterim(socket as Socket));
      socket.destroy();
      return callback(new AddressRefused(`${options.hostname} is at an address that ${refusal}`), null);
    });
  };
}
