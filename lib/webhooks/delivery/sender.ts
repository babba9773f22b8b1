import { Resolver } from "node:dns/promises";
import { isIP, type LookupFunction, type Socket } from "node:net";
import { Agent, buildConnector } from "undici";
import { addressRefusal, isLoopback } from "../address";

/** The addresses of a host name; rejects when there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Thrown in place of connecting when a host may not be reached; `message` says why. */
class AddressRefused extends Error {
  override readonly name = "AddressRefused";
  readonly code = "ADDRESS_REFUSED";
}

const CONNECT_MS = 10_000;
// Of a name with several addresses, to each but the last. Node gives 250 ms: too few for the other side of the world.
const ADDRESS_MS = 3_000;
// Servers that close idle connections after 5 s, as Node's do, without saying so.
const KEEP_ALIVE_MS = 4_000;
const LOCAL_HOST = "localhost";

// Asks name servers itself: the system's look-up would occupy the few threads that everything else shares.
const resolver = new Resolver({ timeout: 3_000, tries: 2 });

/** Both address families of a name; `localhost` is this machine without asking. */
const systemResolve: Resolve = async (host) => {
  if (host === LOCAL_HOST) return ["127.0.0.1", "::1"];
  const lookups = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const addresses = lookups.flatMap((lookup) => (lookup.status === "fulfilled" ? lookup.value : []));
  if (addresses.length > 0) return addresses;
  throw lookups[0].status === "rejected" ? lookups[0].reason : new Error("no address");
};

interface SenderOptions {
  resolve?: Resolve;
  /** PEM of certificate authorities beside the usual ones; tests have their own. */
  ca?: string;
}

/**
 * Connections to receivers, kept alive. Each new one is made to an address that was resolved and checked for it: no
 * response of a name server, however it changes, leads anywhere else. One agent for the world, one that may also reach
 * this machine as `localhost` and `127.0.0.1`, for endpoints of the local stack.
 */
export class Sender {
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

  /** The agent for endpoints of a network; `local`: its chain is the local stack's. */
  agent(local: boolean): Agent {
    return local ? this.local : this.world;
  }

  /** Ends all connections, also those in use. */
  async close(): Promise<void> {
    await Promise.all([this.world.destroy(), this.local.destroy()]);
  }
}

function refusalOf(local: boolean, host: string, address: string): string | null {
  const own = local && (host === LOCAL_HOST || host === "127.0.0.1");
  if (!own) return addressRefusal(address);
  return isLoopback(address) ? null : "is not this machine";
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
  // A second lock: whatever made the socket, it is used only if it leads where it may.
  return (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error) return callback(error, null);
      const refusal = refusalOf(local, options.hostname, (socket as Socket).remoteAddress ?? "");
      if (refusal === null) return callback(null, socket);
      socket.destroy();
      return callback(new AddressRefused(`${options.hostname} is at an address that ${refusal}`), null);
    });
  };
}
