import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CHAIN_ID } from "@/lib/base/network";
import { homeKeysSent } from "@/lib/ledger/encrypted/find-home-keys";
import { parseHomeKey } from "@/lib/ledger/encrypted/home-key";
import { HalcyonError } from "../api/errors";
import { buildPayout, payoutOf } from "./build-payout";
import {
  buildApproval,
  buildTransfer,
  inputOf,
  OtherHomeKey,
  type PlainBody,
  type ProxyClient,
  refundOf,
} from "./build-transfer";
import { namesAmount } from "./names-amount";
import { passThrough, respond } from "./pass-through";
import { errorResponse, notBuiltHere, type ProxyResponse } from "./proxy-response";

/** A request for the log. Contains no body, amount or key, and no id that a caller chose. */
export interface ProxyNews {
  method: string;
  /** Whether this machine built a payment, passed the request on, or refused it. */
  by: "built" | "passed" | "refused";
  status: number;
}

/** What a proxy needs. */
export interface ProxySettings {
  /** Address of the service. */
  service: string;
  /** One or more, which never leave this process. */
  homeKeys: readonly string[];
  /** Port 0 picks a free one. */
  port: number;
  /** Returns a client that pays with a pair of keys. */
  clientOf(keys: { apiKey: string; homeKey: string; network: "test" | "live" }): ProxyClient;
  /** Loads what the first payment on a network needs, while no one waits for it. */
  loadAhead?(network: "test" | "live"): Promise<void>;
}

/** A running proxy. */
export interface RunningProxy {
  /** The base URL for programs. */
  url: string;
  /** Takes no more requests, and resolves when those that run have their responses. */
  close(): Promise<void>;
}

const LOCAL = ["127.0.0.1", "::1"] as const;
/** The service's own limits of a body, in KiB: of one payment, and of the largest body that it takes. */
const LONGEST = { payment: 64, any: 5 * 1024 } as const;
const TRANSFERS = /^\/v1\/transfers\/?$/i;
const PAYOUTS = /^\/v1\/payouts\/?$/i;
const RESUME = /^\/v1\/payouts\/([^/]+)\/resume\/?$/i;
const APPROVE = /^\/v1\/agents\/transactions\/([^/]+)\/approve\/?$/i;
const BEARER = /^Bearer (hc_(test|live)_[0-9A-Za-z]+)$/;

/**
 * Serves the service's API on this machine's own addresses. What needs an amount or a balance is built here with a home
 * key, under the API key that the request carries; everything else goes to the service and comes back as it is. It keeps
 * nothing: a request that is repeated after a crash finds its payment on the chain.
 */
export async function serveProxy(settings: ProxySettings, tell: (news: ProxyNews) => void): Promise<RunningProxy> {
  const proxy = new HomeKeyProxy(settings);
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    response.once("close", () => running.delete(response));
    running.add(response);
    void proxy
      .serve(request, response)
      .then((by) => tell({ method: request.method ?? "", by, status: response.statusCode }));
  };
  const running = new Set<ServerResponse>();
  const first = await listening(createServer(serve), LOCAL[0], settings.port);
  const { port } = first.address() as AddressInfo;
  // A machine may have no IPv6.
  const second = await listening(createServer(serve), LOCAL[1], port).catch(() => null);
  proxy.port = port;
  return {
    url: `http://${LOCAL[0]}:${port}`,
    close: async () => {
      const servers = second ? [first, second] : [first];
      const closed = servers.map((server) => new Promise((resolve) => server.close(resolve)));
      for (const server of servers) server.closeIdleConnections();
      for (const response of running) response.once("close", () => servers.map((one) => one.closeIdleConnections()));
      await Promise.all(closed);
    },
  };
}

function listening(server: Server, host: string, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen({ host, port, ipv6Only: true }, () => resolve(server));
  });
}

class HomeKeyProxy {
  port = 0;
  private readonly service: URL;
  private readonly address: string;
  /** The home keys by network. */
  private readonly homeKeys: Record<"test" | "live", string[]> = { test: [], live: [] };
  /** The client of an API key, once its home key is known. */
  private readonly known = new Map<string, ProxyClient>();
  /** The client of an API key and a home key that may be its own, while requests try it. */
  private readonly trying = new Map<string, { client: ProxyClient; by: number }>();

  constructor(private readonly settings: ProxySettings) {
    this.service = new URL(settings.service);
    this.address = settings.service.replace(/\/$/, "");
    for (const homeKey of settings.homeKeys) {
      const { chainId } = parseHomeKey(homeKey);
      this.homeKeys[chainId === CHAIN_ID.live ? "live" : "test"].push(homeKey);
    }
    for (const network of ["test", "live"] as const) {
      // Without the service or the node, the first payment loads it.
      if (this.homeKeys[network].length > 0) settings.loadAhead?.(network).catch(() => {});
    }
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<ProxyNews["by"]> {
    const refuse = (error: unknown) => {
      respond(response, errorResponse(error, this.address));
      return "refused" as const;
    };
    const refusal = this.refusalOf(request);
    if (refusal) return refuse(refusal);
    const { method, headers } = request;
    const path = method === "POST" ? pathOf(request) : "";
    const [, payoutId] = RESUME.exec(path) ?? [];
    const [, heldId] = APPROVE.exec(path) ?? [];
    const isContinued = payoutId !== undefined || heldId !== undefined;
    if (!hasBody(request) && !isContinued) {
      await passThrough(this.service, request, response);
      return "passed";
    }
    try {
      const isTransfer = TRANSFERS.test(path);
      const bytes = await bodyOf(request, isTransfer ? LONGEST.payment : LONGEST.any);
      if (homeKeysSent(bytes.toString("latin1")).length > 0) throw homeKeyStays();
      const [, apiKey, network] = BEARER.exec(headers.authorization ?? "") ?? [];
      const named = bytes.length > 0 && namesAmount(jsonOf(bytes));
      // Without a key the service refuses it, and needs no body for that.
      if (apiKey === undefined) return await this.pass(request, response, named ? Buffer.from("{}") : bytes);
      const keys = { apiKey, network: network as "test" | "live" };
      const asked = { idempotencyKey: idempotencyKeyOf(request), service: this.address, dryRun: isDryRun(request) };
      const build = (work: (client: ProxyClient) => Promise<ProxyResponse>) => this.build(keys, work);
      if (isContinued && (bytes.length === 0 || Object.keys(objectOf(bytes)).length === 0)) {
        const resumed = await build((client) =>
          heldId === undefined
            ? buildPayout(client, { kind: "resume", payoutId: String(payoutId) }, asked)
            : buildApproval(client, heldId, asked),
        );
        // The service itself goes on with it.
        if (isOfPlainKey(resumed)) return await this.pass(request, response, bytes);
        respond(response, resumed);
        return "built";
      }
      const body = isTransfer || named ? objectOf(bytes) : {};
      if (isTransfer && body.client_signed === undefined && body.blind === undefined) {
        if (!refundOf(body)) inputOf(body);
        respond(response, await build((client) => buildTransfer(client, body, asked)));
        return "built";
      }
      if (!named) return await this.pass(request, response, bytes);
      if (!PAYOUTS.test(path)) throw notBuiltHere("do this");
      const kind = asked.dryRun ? ("check" as const) : ("create" as const);
      const input = payoutOf(body);
      respond(response, await build((client) => buildPayout(client, { kind, input }, asked)));
      return "built";
    } catch (error) {
      return refuse(error);
    }
  }

  /**
   * Returns why a request is not from a program on this machine: a page of any origin could send it, also by a name that
   * it has made resolve to this machine.
   */
  private refusalOf({ headers, rawHeaders, url }: IncomingMessage): HalcyonError | undefined {
    const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${this.port}`);
    if (!hosts.includes((headers.host ?? "").toLowerCase())) {
      return new HalcyonError("key_forbidden", `Call the proxy as http://127.0.0.1:${this.port}, by no other name.`);
    }
    if (headers.origin !== undefined || headers["sec-fetch-site"] !== undefined) {
      return new HalcyonError("key_forbidden", "The proxy responds to programs on this machine, not to web pages.");
    }
    if ([url ?? "", ...rawHeaders].some((text) => homeKeysSent(text).length > 0)) return homeKeyStays();
    if (url?.startsWith("/")) return undefined;
    return new HalcyonError("invalid_request", "The proxy serves paths of one service, and no other addresses.");
  }

  private async pass(request: IncomingMessage, response: ServerResponse, body: Uint8Array): Promise<"passed"> {
    await passThrough(this.service, request, response, body);
    return "passed";
  }

  private async build(
    { apiKey, network }: { apiKey: string; network: "test" | "live" },
    work: (client: ProxyClient) => Promise<ProxyResponse>,
  ): Promise<ProxyResponse> {
    const known = this.known.get(apiKey);
    if (known) return work(known);
    const homeKeys = this.homeKeys[network];
    if (homeKeys.length === 0) {
      throw new HalcyonError("key_forbidden", "This API key is of the other network than the proxy's home keys.");
    }
    for (const homeKey of homeKeys) {
      const pair = `${apiKey} ${homeKey}`;
      // Requests that come at once share a client, and so the line of their balance.
      const tried = this.trying.get(pair) ?? { client: this.settings.clientOf({ apiKey, homeKey, network }), by: 0 };
      this.trying.set(pair, tried);
      tried.by += 1;
      try {
        const built = await work(tried.client);
        if (built.status < 300) this.known.set(apiKey, tried.client);
        return built;
      } catch (error) {
        if (!(error instanceof OtherHomeKey)) throw error;
      } finally {
        tried.by -= 1;
        if (tried.by === 0) this.trying.delete(pair);
      }
    }
    throw new HalcyonError(
      "key_forbidden",
      "The proxy has no home key of this API key. Start it with the one that was created with the key. Nothing was sent.",
    );
  }
}

/** Reports whether a key has no home key, so that the service signs with it as with any. */
const isOfPlainKey = ({ status, body }: ProxyResponse) => status === 403 && body.includes("This needs a blind key");

/** Reports whether a request brings something. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

/** Returns the path of a request, however it is written. */
function pathOf({ url = "" }: IncomingMessage): string {
  try {
    return decodeURIComponent(new URL(url, "http://proxy").pathname).replace(/\/+/g, "/");
  } catch {
    return "";
  }
}

const isDryRun = ({ url = "" }: IncomingMessage) => new URL(url, "http://proxy").searchParams.get("dry_run") === "true";

function idempotencyKeyOf({ headers }: IncomingMessage): string {
  const given = headers["idempotency-key"];
  return typeof given === "string" ? given : crypto.randomUUID();
}

async function bodyOf(request: IncomingMessage, kib: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > kib * 1024) {
      throw new HalcyonError("invalid_request", `The body is larger than ${kib} KiB.`, { status: 413 });
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function objectOf(bytes: Buffer): PlainBody {
  const body = jsonOf(bytes);
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as PlainBody;
  throw notAnObject();
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString("utf8"));
  } catch {
    throw notAnObject();
  }
}

const notAnObject = () => new HalcyonError("invalid_request", "The body is not a JSON object.", { param: "body" });

const homeKeyStays = () =>
  new HalcyonError(
    "invalid_request",
    "A request has no home key: the proxy was started with it. Send the API key that begins with hc_. Nothing was sent.",
  );
