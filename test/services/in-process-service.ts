import { readdirSync } from "node:fs";
import path from "node:path";
import { encode } from "next-auth/jwt";
import type { Address, Hex } from "viem";
import { env } from "@/lib/base/env";
import { createSession } from "@/lib/http/auth/create-session";
import { sessionCookieName } from "@/lib/http/auth/session-cookie";
import type { RouteHandler } from "@/lib/http/declared-route";
import { processProver } from "@/lib/prover/process-prover";
import { ROOT } from "@/scripts/stack/config";
import { apiErrorOf } from "@/sdk/api/api-errors";
import { Call } from "@/sdk/api/call";
import { Http } from "@/sdk/api/http";
import { keyWallet } from "@/sdk/chain/key-wallet";
import type { Wallet } from "@/sdk/chain/wallet";
import { Context } from "@/sdk/context/context";
import { type PinPlace, type PinStore, Pins } from "@/sdk/context/pins";
import { CookieSession } from "@/sdk/context/session/session-calls";

/** Handles a request, with access to the service's honest response. A lying service returns something else. */
export type Meddle = (request: Request, honest: () => Promise<Response>) => Promise<Response>;

type RouteModule = Partial<Record<string, RouteHandler>>;

export const ORIGIN = "http://localhost:3000";

/** Returns the folder of `app/` that serves a path, and the path's parameters. */
function folderOf(url: URL): { folder: string; params: Record<string, string> } {
  const params: Record<string, string> = {};
  let folder = path.join(ROOT, "app");
  for (const part of url.pathname.split("/").filter(Boolean)) {
    const names = readdirSync(folder);
    const parameter = names.find((name) => /^\[[a-z_]+\]$/.test(name));
    if (names.includes(part)) folder = path.join(folder, part);
    else if (parameter) {
      params[parameter.slice(1, -1)] = part;
      folder = path.join(folder, parameter);
    } else throw new Error(`no route serves ${url.pathname}`);
  }
  return { folder, params };
}

/** Has the route of `app/` that serves a request handle it, in this process. */
export async function serveInProcess(request: Request): Promise<Response> {
  const { folder, params } = folderOf(new URL(request.url));
  const module = (await import(path.join(folder, "route.ts"))) as RouteModule;
  const handler = module[request.method];
  if (!handler) throw new Error(`${request.method} ${request.url} is not served`);
  return handler(request, { params: Promise.resolve(params) });
}

/** Signs in as the wallet of `address`. Returns the `Cookie` header of its requests. */
export async function signedIn(address: Address): Promise<string> {
  const sessionToken = await createSession(address.toLowerCase() as Address, { userAgent: null, clientAddress: null });
  return `${sessionCookieName()}=${await encode({ token: { sessionToken }, secret: env().nextAuthSecret })}`;
}

/** Returns a `fetch` that calls the routes of `app/` in this process, signed in as the wallet of `address`. */
export async function fetchAs(address: Address, meddle: Meddle = (_, honest) => honest()): Promise<typeof fetch> {
  const cookie = await signedIn(address);
  return async (input, init) => {
    const request = new Request(input instanceof Request ? input : String(input), init);
    request.headers.set("cookie", cookie);
    return meddle(request, () => serveInProcess(request));
  };
}

/** Stores pins in memory. */
export class MemoryPins implements PinStore {
  readonly kept = new Map<string, string>();

  remedy(): string {
    return "forget it";
  }

  async pin(place: PinPlace, value: string): Promise<string> {
    const known = await this.peek(place);
    if (known === undefined) this.kept.set(place.join("\n"), value);
    return known ?? value;
  }

  async raise(place: PinPlace, value: number): Promise<number> {
    const highest = Math.max(value, Number((await this.peek(place)) ?? 0));
    this.kept.set(place.join("\n"), String(highest));
    return highest;
  }

  async peek(place: PinPlace): Promise<string | undefined> {
    return this.kept.get(place.join("\n"));
  }
}

/** Optional settings of a test's client. */
export interface ClientSettings {
  meddle?: Meddle;
  pins?: PinStore;
  relayPatience?: number;
  /** How long it waits before it tries or looks again. */
  call?: Call;
  apiKey?: string;
  /** For a contract wallet: decrypts the account's key. */
  recoveryCode?: string;
}

/** Returns a client that has an API key alone, or a blind key with its home key. Everything except HTTP is real. */
export async function keyClientOf(
  keys: { text: string; homeKey?: string },
  rpcUrl: string,
  { meddle = (_, honest) => honest(), pins, call }: ClientSettings = {},
): Promise<Context> {
  const fetchInProcess: typeof fetch = async (input, init) => {
    const request = new Request(input instanceof Request ? input : String(input), init);
    return meddle(request, () => serveInProcess(request));
  };
  const prover = await processProver();
  return new Context({
    http: new Http(ORIGIN, { fetch: fetchInProcess, apiError: apiErrorOf }, call ?? new Call({ maxRetries: 0 })),
    network: "test",
    pins: new Pins(pins ?? new MemoryPins()),
    rpcUrl,
    apiKey: keys.text,
    homeKey: keys.homeKey,
    loadProver: async () => prover,
  });
}

/** Returns a client with the wallet of that key, for the service in this process. Everything except HTTP is real. */
export async function clientOf(
  walletOrKey: Hex | Wallet,
  rpcUrl: string,
  settings: ClientSettings = {},
): Promise<Context> {
  const wallet = typeof walletOrKey === "string" ? keyWallet(walletOrKey) : walletOrKey;
  const fetchInProcess = await fetchAs(wallet.address, settings.meddle);
  const http = new Http(
    ORIGIN,
    { fetch: fetchInProcess, apiError: apiErrorOf },
    settings.call ?? new Call({ maxRetries: 0 }),
  );
  const prover = await processProver();
  return new Context({
    http,
    network: "test",
    pins: new Pins(settings.pins ?? new MemoryPins()),
    wallet,
    session: new CookieSession(http, "test"),
    rpcUrl,
    relayPatience: settings.relayPatience,
    apiKey: settings.apiKey,
    recoveryCode: settings.recoveryCode,
    loadProver: async () => prover,
  });
}
