import type { Hex } from "viem";
import type { z } from "zod";
import type { BeforeCommit } from "@/lib/base/context/context";
import { onBehalfOf } from "@/lib/base/current-account";
import type { AddressLimit } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import type { KeyScope } from "@/lib/base/key-scopes";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import type { AuthenticatedKey } from "@/lib/http/auth/authenticate-key";
import type { Grant } from "@/lib/http/auth/unwrap";
import { beginAttempt, type StoredResponse } from "@/lib/http/idempotency/begin-attempt";
import { beginTogether } from "@/lib/http/idempotency/begin-together";
import { fingerprintOf, requestSecret } from "@/lib/http/idempotency/fingerprint-of";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { hasSlot, lineOf, type RequestSlot, takeSlot } from "./account-concurrency";
import { BODY_UNIT } from "./arriving-bodies";
import {
  type AuthenticatedRequest,
  asConnection,
  authenticateCaller,
  type ContextOf,
  type KindOf,
} from "./authenticate-caller";
import { checkKeyReach } from "./check-key-reach";
import { type Auth, keepDeclaration, type RouteHandler, takesCaller } from "./declared-route";
import type { Documentation, ResponseBody, Responses } from "./documentation";
import { plainFailure } from "./failure";
import { chargeCaller, type LimitHeaders, limitAddress, limitRequest } from "./limits";
import { keepOperation, type OperationCall } from "./operation";
import { asRouteHandler, type PlainRequest } from "./plain-response";
import { BODY_LIMIT, type BodyLimit, parseJson, readJsonBytes } from "./read-json-body";
import { NOTHING, type RefusalCode, readQuery, stopEarly, validate } from "./validate";

/** The parts of a request that a verb gets. */
interface Handled<C, B, Q> {
  ctx: C;
  body: B;
  query: Q;
  params: Record<string, string>;
  /** The `Cookie` header. */
  cookies: string | null;
  /**
   * Completes the `Idempotency-Key` inside the verb's own transaction, with what `handle` will return. Does nothing if
   * the request has none.
   */
  beforeCommit: BeforeCommit<unknown>;
  /** For a route with `continues`: identifies the request. */
  asked: AskedRequest;
}

/** Identifies a request that a later one can continue. */
interface AskedRequest {
  /**
   * The request's `Idempotency-Key`, or a random one if it has none; then only the created object's id can continue it.
   */
  idempotencyKey: string;
  /** MAC of the request under the API key; empty if it has no API key. */
  fingerprint: Hex;
  /**
   * 32 bytes derived from the API key and the `Idempotency-Key`: the same request gets the same again, and nothing that
   * is stored can derive them. Empty if the request has no API key.
   */
  secret: Uint8Array;
}

/** A route as declared in `app/`: who may call it, what it takes, which verb handles it, and what it returns. */
interface Declaration<A extends Auth, B, Q, T, R extends Responses | undefined> {
  auth: A;
  /** The API reference's text. A test requires it for every route under /v1. */
  docs?: "key" extends KindOf<A> ? Documentation : never;
  /** Schemas of the success responses, by status. `serialize` can return nothing else. */
  responses?: R;
  /** Whether keys of one agent may call; by default they get `key_forbidden`. API keys only. */
  agentKeys?: "key" extends KindOf<A> ? "allowed" | "not_agent_owner" : never;
  /** The scope that a narrowed key needs. Without it, narrowed keys can't call the route. API keys only. */
  scope?: "key" extends KindOf<A> ? KeyScope : never;
  /** Whether a key created for one schedule may call; by default it gets `key_forbidden`. API keys only. */
  scheduleKeys?: "key" extends KindOf<A> ? "allowed" : never;
  /** Accepts `?agent=` (handle or id) to act for that agent of the account. Sessions only. */
  actsForAgents?: "session" extends KindOf<A> ? true : never;
  /** Supports `Idempotency-Key`, always or depending on the query. The verb must call `beforeCommit`. API keys only. */
  idempotent?: "key" extends KindOf<A> ? boolean | ((query: Q) => boolean) : never;
  /**
   * What a repetition of the same request has in common with it, if not its whole body. API keys only.
   */
  fingerprint?: "key" extends KindOf<A> ? (body: B) => string | undefined : never;
  /**
   * The verb itself supports `Idempotency-Key`: the same request again continues what the first began. API keys only.
   */
  continues?: "key" extends KindOf<A> ? true : never;
  /**
   * The requests of another route that this one serves together, each with its own `Idempotency-Key`: repeated alone
   * there, each gets its own response again. The verb must call `beforeCommit`. API keys only.
   */
  together?: "key" extends KindOf<A> ? Together<B, T> : never;
  /** The rate limit of the client address that this request counts against. */
  limit?: AddressLimit;
  /** How many requests this one counts as, if that depends on its body; one by default. */
  cost?: (body: B) => number;
  /** What the verb may decrypt of the key's wraps; nothing by default. */
  opens?: "key" extends KindOf<A> ? Exclude<Grant, "nothing"> : never;
  /** The success status. By default that of the only response, or 200. A function if it depends on the outcome. */
  status?: number | ((result: T) => number);
  body?: z.ZodType<B>;
  /** Accepts a larger body than {@link BODY_LIMIT}. */
  bodyLimit?: KindOf<A> extends "session" | "key" ? BodyLimit : never;
  /** The error code for an invalid body, possibly by field; `invalid_request` by default. */
  invalidBody?: RefusalCode | ((param: string) => RefusalCode);
  query?: z.ZodType<Q>;
  /** Serializes the result field by field; null sends no body, and bytes are JSON already. */
  serialize: (result: T) => ResponseBody<R>;
  /** Additional headers of a success response. */
  headers?: (result: T) => Record<string, string>;
  handle: (request: Handled<ContextOf<A>, B, Q>) => Promise<T>;
}

/** Requests that are served together. */
interface Together<B, T> {
  /** The path of the route that serves each alone. */
  path: string;
  /** In the order of `responses`, with what a repetition of each has in common with it. */
  requests: (body: B) => { idempotencyKey: string; bodyText: string }[];
  responses: (result: T) => StoredResponse[];
  /** The body that has the given bodies of the responses. */
  joined: (bodies: unknown[]) => unknown;
}

/**
 * Creates a route handler from a declaration. Errors take precedence as in docs/contract-notes.md "Transport": caller,
 * then body and query, then `Idempotency-Key`, then the verb's own errors.
 */
export function route<
  const A extends Auth,
  B = undefined,
  Q = undefined,
  T = unknown,
  R extends Responses | undefined = undefined,
>(declaration: Declaration<A, B, Q, T, R>): RouteHandler {
  if (declaration.body) stopEarly(declaration.body);
  const respond = async (call: OperationCall, params: Params, authenticate: Authenticate<A>) => {
    const requestId = newId("request");
    const limits: LimitHeaders = {};
    noteRequest({ requestId });
    try {
      const authenticated = await authenticate(requestId, limits);
      const result = await responseTo(declaration, call, params, authenticated, limits);
      const { body } = result;
      const text = body === null || body instanceof Uint8Array ? body : JSON.stringify(body);
      const headers = {
        ...(text === null ? {} : { "content-type": "application/json" }),
        "cache-control": "no-store",
        "x-request-id": requestId,
        ...(result.replayed ? { "idempotent-replayed": "true" } : {}),
        ...result.headers,
        ...limits,
      };
      return { status: result.status, headers, text, ...(result.reader !== undefined && { reader: result.reader }) };
    } catch (thrown) {
      return plainFailure(thrown, requestId, `${call.method} ${call.path}`, limits);
    }
  };
  const handler = asRouteHandler((request, params) => {
    const call = callOf(request);
    return respond(call, params, (...how) => authenticateCaller<A>(declaration, request, call.search, ...how));
  });
  keepOperation(handler, (key, call, params) =>
    respond(call, params, async (requestId) => asConnection<A>(declaration, key, call.search, requestId)),
  );
  const { idempotent, continues } = declaration;
  keepDeclaration(handler, { ...declaration, idempotent: Boolean(idempotent || continues) });
  return handler;
}

type Params = Record<string, string | string[] | undefined>;
type Authenticate<A extends Auth> = (
  requestId: string,
  limits: LimitHeaders,
) => Promise<AuthenticatedRequest<ContextOf<A>>>;

/** Returns the call that a request makes. */
function callOf(request: PlainRequest): OperationCall {
  const { method, url, headers } = request;
  const at = url.indexOf("?");
  return {
    method,
    // Most calls are not asked for it.
    get path() {
      return pathOf(url);
    },
    search: new URLSearchParams(at < 0 ? "" : url.slice(at)),
    authorization: headers.get("authorization"),
    idempotencyKey: headers.get("idempotency-key"),
    cookies: headers.get("cookie"),
    readBody: (limit, line) => readJsonBytes(request, limit, line),
  };
}

interface RouteResult {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  replayed?: boolean;
  reader?: string;
}

async function responseTo<A extends Auth, B, Q, T, R extends Responses | undefined>(
  declaration: Declaration<A, B, Q, T, R>,
  call: OperationCall,
  params: Params,
  authenticated: AuthenticatedRequest<ContextOf<A>>,
  limits: LimitHeaders,
): Promise<RouteResult> {
  const { caller } = authenticated;
  let slot: RequestSlot | undefined;
  const serve = async () => {
    try {
      if (caller) {
        await limitRequest(call.authorization, caller, limits);
        slot = await takeSlot(caller);
      }
      const result = await served(declaration, call, params, authenticated, limits, slot);
      return caller ? { ...result, reader: lineOf(caller) } : result;
    } finally {
      slot?.leave();
    }
  };
  return caller ? onBehalfOf(caller.root, serve, () => slot?.release()) : serve();
}

async function served<A extends Auth, B, Q, T, R extends Responses | undefined>(
  declaration: Declaration<A, B, Q, T, R>,
  call: OperationCall,
  params: Params,
  { key, ctx, caller, search }: AuthenticatedRequest<ContextOf<A>>,
  limits: LimitHeaders,
  slot: RequestSlot | undefined,
): Promise<RouteResult> {
  if (key) checkKeyReach(key.context, declaration);
  // A request of a tool has its caller's limits: applications of many people share their host's address.
  if (declaration.limit && !hasSlot()) await limitAddress(declaration.limit, ctx.clientAddress, limits);
  const takesNone = takesCaller(declaration.auth, "key") && !declaration.body && !["GET", "HEAD"].includes(call.method);
  const bodyLimit = declaration.bodyLimit ?? BODY_LIMIT;
  let bytes: Uint8Array | undefined;
  if (declaration.body || takesNone) {
    bytes = await call.readBody(bodyLimit, caller && lineOf(caller));
    // A large body costs more to parse.
    const units = Math.ceil(bytes.byteLength / BODY_UNIT);
    if (caller && units > 1) await chargeCaller(caller, limits, units - 1);
  }
  // Only once the body has arrived, so that a slow body keeps no other request of the account waiting.
  await slot?.acquire(!["GET", "HEAD"].includes(call.method));
  const json = bytes && parseJson(bytes, bodyLimit);
  if (takesNone) validate(NOTHING, json?.value ?? {}, "body");
  const handled = {
    ctx,
    body: (declaration.body
      ? validate(declaration.body, json?.value, "body", declaration.invalidBody)
      : undefined) as B,
    query: readQuery<unknown>(
      declaration.query ?? (takesCaller(declaration.auth, "key") ? NOTHING : undefined),
      search,
    ) as Q,
    params: params as Record<string, string>,
    cookies: call.cookies,
    asked: await askedRequest(declaration, key, call, json?.text ?? ""),
  };
  // One request was counted before the body was read.
  const cost = declaration.cost?.(handled.body) ?? 1;
  if (caller && cost > 1) await chargeCaller(caller, limits, cost - 1);
  const resultOf = (result: T): RouteResult => {
    const { status = statusOfOnly(declaration.responses) } = declaration;
    return { status: typeof status === "function" ? status(result) : status, body: declaration.serialize(result) };
  };
  const { idempotent = false, continues = false } = declaration;
  const repeatable = typeof idempotent === "function" ? idempotent(handled.query) : idempotent;
  const { together } = declaration;
  if (call.idempotencyKey !== null) {
    if (!key && (repeatable || continues || together)) throw sessionRepeats();
    if (together) throw eachHasItsKey();
  }
  if (key && together) {
    const asked = { method: call.method, path: together.path };
    const requests = together.requests(handled.body).map((request) => ({ ...request, ...asked }));
    const attempts = await beginTogether(key, requests);
    if ("responses" in attempts) {
      const body = together.joined(attempts.responses.map((response) => response.body));
      return { status: statusOfOnly(declaration.responses), body, replayed: true };
    }
    try {
      const beforeCommit: BeforeCommit<unknown> = (tx, result) =>
        attempts.complete(tx, together.responses(result as T));
      return resultOf(await declaration.handle({ ...handled, beforeCommit }));
    } catch (error) {
      await attempts.abandon();
      throw error;
    }
  }
  const idempotencyKey = repeatable ? call.idempotencyKey : null;
  if (!key || idempotencyKey === null) {
    const result = await declaration.handle({ ...handled, beforeCommit: async () => {} });
    return { ...resultOf(result), headers: declaration.headers?.(result) };
  }
  const attempt = await beginAttempt(key, {
    idempotencyKey: checkedIdempotencyKey(idempotencyKey),
    method: call.method,
    path: call.path,
    bodyText: declaration.body ? (declaration.fingerprint?.(handled.body) ?? json?.text ?? "") : "",
  });
  if (!("complete" in attempt)) return { ...attempt, replayed: true };
  try {
    // The verb's parameter can't have type `T`, because TypeScript would then no longer infer it from the verb's
    // result.
    const beforeCommit: BeforeCommit<unknown> = (tx, result) => attempt.complete(tx, resultOf(result as T));
    const keyed = { ...ctx, idempotencyKey } as unknown as typeof ctx;
    const result = await declaration.handle({ ...handled, ctx: keyed, beforeCommit });
    return { ...resultOf(result), headers: declaration.headers?.(result) };
  } catch (error) {
    await attempt.abandon();
    throw error;
  }
}

async function askedRequest(
  { continues }: { continues?: true },
  key: AuthenticatedKey | undefined,
  { method, path, idempotencyKey: given }: OperationCall,
  bodyText: string,
): Promise<AskedRequest> {
  if (!continues || !key) return { idempotencyKey: "", fingerprint: "0x", secret: new Uint8Array() };
  const idempotencyKey = given === null ? crypto.randomUUID() : checkedIdempotencyKey(given);
  const asked = { idempotencyKey, method, path, bodyText };
  return {
    idempotencyKey,
    fingerprint: toHex(await fingerprintOf(key, asked)),
    secret: await requestSecret(key, idempotencyKey),
  };
}

/** Returns the status of the only response; 200 for a route that declares none. */
function statusOfOnly(responses: Responses = {}): number {
  const [status = 200, ...others] = Object.keys(responses).map(Number);
  if (others.length > 0) throw new Error("a route with several responses does not say which one it returns");
  return status;
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** What is stored for an `Idempotency-Key` is encrypted under the API key. Ignoring the header would lose the promise. */
function sessionRepeats(): ApiError {
  return new ApiError("invalid_request", "An Idempotency-Key needs an API key. Leave it out with a session.", {
    param: "Idempotency-Key",
  });
}

/** A header of the whole would be stored nowhere: each of the requests is repeated alone. */
function eachHasItsKey(): ApiError {
  return new ApiError(
    "invalid_request",
    "Each payment has its own idempotency_key, with which the same body can be repeated. Leave out the Idempotency-Key.",
    { param: "Idempotency-Key" },
  );
}

function checkedIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError("invalid_request", "An Idempotency-Key has 1 to 255 printable ASCII characters.", {
    param: "Idempotency-Key",
  });
}
