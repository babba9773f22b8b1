import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setClientAddress } from "@/lib/base/client-address";
import { withClient } from "@/lib/base/client-left";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { setRequestedPage } from "@/lib/base/requested-page";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { log } from "@/lib/base/telemetry/log";
import { type Admission, priorityOf, withPlace } from "./admission";
import { type ArrivingBodies, bodyReader } from "./arriving-bodies";
import type { FindHandler } from "./direct-handlers";
import { type Door, doorOf, NOWHERE } from "./doors";
import { errorBody, errorHeaders } from "./error-body";
import { admit, isApiPath, NOT_FOUND_PAGE, refuse, refusePage } from "./front";
import { lookUpOwner, ownerOf, type RequestOwner } from "./known-callers";
import { type LimitHeaders, refusalOfSpent, refusalOfUnknown } from "./limits";
import { observeRequest } from "./observe-request";
import type { PageLimit } from "./page-limit";
import { isPlain } from "./plain-response";
import { type ReadRawBody, withRawBody } from "./raw-body";
import { UNMATCHED } from "./route-patterns";
import { API_POLICY, pagePolicy, sharingHeaders } from "./security-headers";
import { serveDirectly } from "./serve-directly";
import { holdRefusal } from "./spent-keys";
import { untilDeadline } from "./until-deadline";
import { visitorRedirect } from "./visitor-redirect";
import { walletOfCookie } from "./wallet-of-cookie";

type ServePath = (request: IncomingMessage, response: ServerResponse, at: string) => Promise<boolean>;

/** What stands behind the front, and what limits it. */
export interface FrontParts {
  /** The service's public origin. */
  origin: string;
  trustedProxies: number;
  development: boolean;
  admission: Admission;
  bodies: ArrivingBodies;
  pages: PageLimit;
  /** Serves what nothing below does: Next.js. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Returns a route's name for metrics. */
  patternOf(at: string): string;
  /** Origins that pages may connect to. */
  connect: readonly string[];
  /** Missing in development, where Next.js compiles a route when it changes, and nothing is built. */
  handlerOf?: FindHandler | undefined;
  servePacked?: ServePath | undefined;
  serveShared?: ServePath | undefined;
  isMissing?: ((at: string) => boolean) | undefined;
}

interface Arrived {
  request: IncomingMessage;
  response: ServerResponse;
  /** Its path, or why it is refused. */
  at: string | ApiError;
  address: string;
  door: Door;
  /** For a page: of the request's session, if it has one that this service made. */
  wallet: string | undefined;
}

const OF_API = { "Content-Security-Policy": API_POLICY };

/**
 * Returns what serves the requests of a web process: each passes the guards of its door (doors.ts), and goes on to its
 * handler, to a response that is kept, to a file, or to Next.js.
 */
export function webFront(parts: FrontParts): (request: IncomingMessage, response: ServerResponse) => void {
  const { origin, trustedProxies, development, admission, bodies, pages, handle, patternOf, connect } = parts;
  const { handlerOf, servePacked, serveShared, isMissing } = parts;
  const https = origin.startsWith("https:");

  function respond(response: ServerResponse, error: ApiError, headers: Record<string, string>): void {
    const requestId = newId("request");
    noteRequest({ requestId, errorCode: error.code });
    const body = JSON.stringify(errorBody(error, requestId, origin));
    response.writeHead(error.status, {
      "Content-Type": "application/json",
      "Content-Length": Buffer.byteLength(body),
      "Cache-Control": "no-store",
      "X-Request-Id": requestId,
      ...errorHeaders(error),
      ...headers,
    });
    response.end(body);
  }

  function sendTo(response: ServerResponse, location: string): void {
    response.writeHead(307, { Location: location, "Cache-Control": "no-store", "Content-Security-Policy": API_POLICY });
    response.end();
  }

  /** Responds to a person when the process is overloaded. The page reloads by itself. */
  function busy(response: ServerResponse): void {
    const body = "<!doctype html><title>Busy</title><p>Halcyon is busy. This page loads again in a moment.";
    response.writeHead(503, {
      "Content-Type": "text/html; charset=utf-8",
      "Cache-Control": "no-store",
      "Content-Security-Policy": API_POLICY,
      "Retry-After": "1",
      Refresh: "2",
    });
    response.end(body);
  }

  async function serveApi(
    { request, response, address, door }: Arrived,
    at: string,
    readBody: ReadRawBody,
  ): Promise<void> {
    response.setHeader("Content-Security-Policy", API_POLICY);
    const refusal = refuse(request.method ?? "", at);
    if (refusal) return respond(response, refusal.error, refusal.headers);
    const found = handlerOf?.(request.method ?? "", at);
    // The stream of events and what a provider sends need the Fetch API.
    if (found && isPlain(found.handler)) return serveDirectly(request, response, found, readBody, origin);
    const limits: LimitHeaders = {};
    const { headers, method } = request;
    const spent =
      method === "POST" &&
      ((await refusalOfSpent(door.posts, address, limits)) ??
        (await refusalOfUnknown(door.unknownKeys, { headers, address }, limits)));
    if (spent) return respond(response, spent, limits);
    // Next.js would drop the body of a GET, and read others without limits.
    return withRawBody(readBody, () => handle(request, response));
  }

  async function servePage(
    request: IncomingMessage,
    response: ServerResponse,
    at: string,
    door: Door,
    address: string,
  ): Promise<void> {
    // Next.js's development server has addresses of its own.
    const refusal = development && door === NOWHERE ? undefined : refusePage(request, at, door);
    if (refusal) return respond(response, refusal.error, refusal.headers);
    for (const [name, value] of Object.entries(sharingHeaders(at))) response.setHeader(name, value);
    if (await serveShared?.(request, response, at)) return;
    setRequestedPage(request);
    const policy = pagePolicy({ nonce: randomBytes(16).toString("base64") }, { https, development, connect });
    // Next.js reads the nonce for its own scripts from the request's policy. A policy sent by the caller is overwritten.
    request.headers["content-security-policy"] = policy;
    delete request.headers["content-security-policy-report-only"];
    response.setHeader("Content-Security-Policy", policy);
    if (await servePacked?.(request, response, at)) return;
    const spent = door.address === "beyond built files" ? pages.take(address) : 0;
    if (spent instanceof ApiError) {
      await holdRefusal("address");
      return respond(response, spent, {});
    }
    if (isMissing?.(at)) return respond(response, new ApiError("not_found", "There is nothing at this address."), {});
    if (!development && door === NOWHERE) request.url = NOT_FOUND_PAGE;
    return handle(request, response);
  }

  /** Returns a request's path in the normal form that all later code relies on, or the error if it has none. */
  function admitted(request: IncomingMessage): string | ApiError {
    try {
      return admit(request);
    } catch (refusal) {
      if (refusal instanceof ApiError) return refusal;
      throw refusal;
    }
  }

  /** Serves a request when it is its client's turn, unless that has used up its requests. */
  function serve(arrived: Arrived): void {
    const { request, response, at, address, door, wallet } = arrived;
    const signIn = visitorRedirect(request, door, wallet);
    const isRendered = door.cpu === "rendered" && signIn === undefined;
    const kind = door.cpu === "probe" ? "probe" : isRendered ? "rendered" : "made";
    // What looks like a path of an API and is none gets its 404 at no cost.
    const isCounted =
      !(at instanceof ApiError || (door === NOWHERE && isApiPath(at))) &&
      (door.address === "public" || door.address === "later");
    const turn = isCounted ? pages.take(address, { kind, wallet }) : 0;
    if (turn instanceof ApiError) admission.turnAway(() => respond(response, turn, OF_API));
    else if (turn === 0) serveNow(arrived, signIn);
    else setTimeout(() => response.destroyed || serveNow(arrived, signIn), turn);
  }

  /** Serves a request, unless the process has too much to do. */
  function serveNow(arrived: Arrived, signIn: string | undefined): void {
    const { request, response, at, address, door, wallet } = arrived;
    // Before any other work, because refusing must be cheap.
    const enter = (owner: RequestOwner) =>
      at instanceof ApiError
        ? undefined
        : admission.enter(priorityOf(request, door, wallet), response, owner, door.counts);
    const turnAway = (shed: ApiError) => {
      const asJson = isApiPath(request.url ?? "") || shed.code !== "unavailable";
      admission.turnAway(() => (asJson ? respond(response, shed, OF_API) : busy(response)));
    };
    const owner = ownerOf(request.headers, address, wallet);
    const shed = enter(owner);
    if (!shed) serveAdmitted(arrived, signIn);
    else if (owner.kind === "account" || door.priority === "public") turnAway(shed);
    else {
      // A valid key or session is not refused because of what others at its address did.
      const lookedUp = lookUpOwner(request.headers).catch(() => undefined);
      void lookedUp.then((found) => {
        if (response.destroyed) return;
        const refused = found ? enter(found) : shed;
        if (refused) turnAway(refused);
        else serveAdmitted(arrived, signIn);
      });
    }
  }

  function serveAdmitted(arrived: Arrived, signIn: string | undefined): void {
    const { request, response, at, address, door } = arrived;
    const handled = async () => {
      if (at instanceof ApiError) return respond(response, at, OF_API);
      if (isApiPath(at)) return serveApi(arrived, at, bodyReader(admission, bodies, request, response, address));
      if (signIn !== undefined) return sendTo(response, signIn);
      return servePage(request, response, at, door, address);
    };
    const route = at instanceof ApiError ? UNMATCHED : patternOf(at);
    const left = untilDeadline(request, response, development ? null : door.deadlineMs, (error) => {
      log().warn({ route, status: error.status }, "request over its deadline");
      if (isApiPath(request.url ?? "")) respond(response, error, OF_API);
      else busy(response);
    });
    const guarded = () =>
      handled().catch((error) => {
        if (left.aborted && response.headersSent) return;
        log().error({ err: error }, "request failed");
        if (response.headersSent) response.destroy();
        else respond(response, new ApiError("internal", "Something failed on our side. Try again."), {});
      });
    void withClient(left, () =>
      withPlace(admission, response, () => observeRequest(request, response, route, guarded)),
    );
  }

  return (request, response) => {
    const at = admitted(request);
    const address = setClientAddress(request, trustedProxies);
    const door = (at instanceof ApiError ? undefined : doorOf(at)) ?? NOWHERE;
    const begin = (wallet?: string) => serve({ request, response, at, address, door, wallet });
    // Routes look the session up themselves.
    if (door.methods === "route" || door.priority !== "session" || !request.headers.cookie) return begin();
    void walletOfCookie(request.headers.cookie).then((wallet) => response.destroyed || begin(wallet));
  };
}
