import type { Hex } from "viem";
import type { z } from "zod";
import { readingLists, wroteSomething } from "@/db/client";
import type { AuthenticatedKey } from "@/lib/auth/authenticate-key";
import type { Grant } from "@/lib/auth/unwrap";
import type { BeforeCommit } from "@/lib/context/context";
import { onBehalfOf } from "@/lib/current-account";
import type { AddressLimit } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { beginAttempt } from "@/lib/idempotency/begin-attempt";
import { fingerprintOf } from "@/lib/idempotency/fingerprint-of";
import { newId } from "@/lib/ids";
import type { KeyScope } from "@/lib/key-scopes";
import { toHex } from "@/lib/ledger/crypto/bytes";
import { noteRequest } from "@/lib/telemetry/current-request";
import { type AuthenticatedRequest, authenticateCaller, type ContextOf } from "./authenticate-caller";
import { checkKeyReach } from "./check-key-reach";
import { keepDeclaration, type RouteHandler } from "./declared-route";
import type { Documentation, ResponseBody, Responses } from "./documentation";
import { plainFailure } from "./failure";
import { type LimitHeaders, limitAddress, limitCaller, limitRequest, refuseSpent } from "./limits";
import { asRouteHandler, type PlainRequest } from "./plain-response";
import { rawBody } from "./raw-body";
import { MAX_LARGE_BODY_BYTES, readJsonBody } from "./read-json-body";
import { NOTHING, type RefusalCode, readQuery, validate } from "./validate";

/** What a verb gets of a request. */
interface Handled<C, B, Q> {
  ctx: C;
  body: B;
  query: Q;
  params: Record<string, string>;
  /** The `Cookie` header. */
  cookies: string | null;
  /**
   * Completes the `Idempotency-Key` inside the verb's own transaction, with what `handle` will return; else nothing.
   */
  beforeCommit: BeforeCommit<unknown>;
  /** Of a route that continues: what names the request. */
  asked: AskedRequest;
}

/** What names a request that a later one continues. */
interface AskedRequest {
  /** A random one for a request without it, which only its id continues. */
  idempotencyKey: string;
  /** Of method, path and body, under the API key; empty of a request without one. */
  fingerprint: Hex;
}

/** A route as it is declared in `app/`: who may call, what it takes, which verb handles it, what it returns. */
interface Declaration<A extends keyof ContextOf, B, Q, T, R extends Responses | undefined> {
  auth: A;
  /** What the API reference says of it; a test wants it of every route under /v1. */
  docs?: A extends "apiKey" ? Documentation : never;
  /** Schemas of the success responses, by status; `serialize` lets out nothing else. */
  responses?: R;
  /** Whether keys of one agent may call; when left out they are `key_forbidden`. API keys only. */
  agentKeys?: A extends "apiKey" ? "allowed" | "not_agent_owner" : never;
  /** What a key that is narrowed to scopes must have to call; narrowed keys call nothing without one. API keys only. */
  scope?: A extends "apiKey" ? KeyScope : never;
  /** Whether a key created for one schedule may call; when left out it is `key_forbidden`. API keys only. */
  scheduleKeys?: A extends "apiKey" ? "allowed" : never;
  /** Takes `?agent=` (handle or id) and acts for that agent of the account. Sessions only. */
  actsForAgents?: A extends "session" ? true : never;
  /** Honours `Idempotency-Key`, always or by query; the verb must call `beforeCommit`. API keys only. */
  idempotent?: A extends "apiKey" ? boolean | ((query: Q) => boolean) : never;
  /** Honours `Idempotency-Key` by itself: the same request again continues what the first began. API keys only. */
  continues?: A extends "apiKey" ? true : never;
  /** Counts the request against its client address, by what it asks for. */
  limit?: AddressLimit;
  /** How many requests this counts as, where that depends on its body; one when left out. */
  cost?: (body: B) => number;
  /** What the verb may open of the key's wraps; nothing when left out. */
  opens?: A extends "apiKey" ? Exclude<Grant, "nothing"> : never;
  /**
   * The status of success, when left out that of the one response, else 200; a function where it depends on the
   * outcome.
   */
  status?: number | ((result: T) => number);
  body?: z.ZodType<B>;
  /** Takes a body of up to 4 MiB instead of 64 KiB. */
  largeBody?: A extends "session" | "apiKey" ? true : never;
  /** Code of a refused body, by the field at fault where it depends on that; `invalid_request` when left out. */
  invalidBody?: RefusalCode | ((param: string) => RefusalCode);
  query?: z.ZodType<Q>;
  /**
   * A list that may come from a replica, always or by query: its verb writes nothing and may run twice. What follows a
   * transaction that has not committed yet is read from the primary alone. API keys only: live pages read what they were
   * just notified of.
   */
  fromReplica?: A extends "apiKey" ? true | ((query: Q) => boolean) : never;
  /** The response, field by field; null sends no body. */
  serialize: (result: T) => ResponseBody<R>;
  /** Further headers of a success response. */
  headers?: (result: T) => Record<string, string>;
  handle: (request: Handled<ContextOf[A], B, Q>) => Promise<T>;
}

/**
 * Makes a route handler of a declaration. Precedence of refusals as in docs/contract-notes.md "Transport": caller, then
 * body and query, then `Idempotency-Key`, then what the verb finds.
 */
export function route<
  A extends keyof ContextOf,
  B = undefined,
  Q = undefined,
  T = unknown,
  R extends Responses | undefined = undefined,
>(declaration: Declaration<A, B, Q, T, R>): RouteHandler {
  const handler = asRouteHandler(async (request, params) => {
    const requestId = newId("request");
    const limits: LimitHeaders = {};
    noteRequest({ requestId });
    try {
      const result = await responseTo(declaration, request, params, requestId, limits);
      const text = result.body === null ? null : JSON.stringify(result.body);
      const headers = {
        ...(text === null ? {} : { "content-type": "application/json" }),
        "cache-control": "no-store",
        "x-request-id": requestId,
        ...(result.replayed ? { "idempotent-replayed": "true" } : {}),
        ...result.headers,
        ...limits,
      };
      return { status: result.status, headers, text };
    } catch (thrown) {
      return plainFailure(thrown, requestId, `${request.method} ${pathOf(request.url)}`, limits);
    }
  });
  const { idempotent, continues } = declaration;
  keepDeclaration(handler, { ...declaration, idempotent: Boolean(idempotent || continues) });
  return handler;
}

interface RouteResult {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  replayed?: boolean;
}

async function responseTo<A extends keyof ContextOf, B, Q, T, R extends Responses | undefined>(
  declaration: Declaration<A, B, Q, T, R>,
  request: PlainRequest,
  params: Record<string, string | string[] | undefined>,
  requestId: string,
  limits: LimitHeaders,
): Promise<RouteResult> {
  if (declaration.auth === "apiKey") await refuseSpent(request.headers.get("authorization"), limits);
  const authenticated = await authenticateCaller<A>(declaration, request, requestId, limits);
  const serve = async () => {
    // What is refused before it is handled has written nothing.
    let handling = false;
    const begin = () => {
      handling = true;
    };
    try {
      return await served(declaration, request, params, authenticated, limits, begin);
    } finally {
      const account = "account" in authenticated.ctx ? authenticated.ctx.account : null;
      // After a failure too: something may have committed before it.
      if (handling && account && !["GET", "HEAD"].includes(request.method)) await wroteSomething(account.rootId);
    }
  };
  return authenticated.caller ? onBehalfOf(authenticated.caller.root, serve) : serve();
}

async function served<A extends keyof ContextOf, B, Q, T, R extends Responses | undefined>(
  declaration: Declaration<A, B, Q, T, R>,
  request: PlainRequest,
  params: Record<string, string | string[] | undefined>,
  { key, ctx, caller, search }: AuthenticatedRequest<ContextOf[A]>,
  limits: LimitHeaders,
  begin: () => void,
): Promise<RouteResult> {
  if (caller) await limitRequest(request.headers.get("authorization"), caller, limits);
  if (key) checkKeyReach(key.context, declaration);
  if (declaration.limit) await limitAddress(declaration.limit, ctx.clientAddress, limits);
  const most = declaration.largeBody && MAX_LARGE_BODY_BYTES;
  const takesNone = key !== undefined && !declaration.body && !["GET", "HEAD"].includes(request.method);
  const json =
    declaration.body || takesNone ? await readJsonBody(request, request.readBody ?? rawBody(), most) : undefined;
  if (takesNone) validate(NOTHING, json?.value ?? {}, "body");
  const handled = {
    ctx,
    body: (declaration.body
      ? validate(declaration.body, json?.value, "body", declaration.invalidBody)
      : undefined) as B,
    query: readQuery<unknown>(declaration.query ?? (key && NOTHING), search) as Q,
    params: params as Record<string, string>,
    cookies: request.headers.get("cookie"),
    asked: await askedRequest(declaration, key, request, json?.text ?? ""),
  };
  // One was counted before anything of it was read.
  const cost = declaration.cost?.(handled.body) ?? 1;
  if (caller && cost > 1) await limitCaller(caller, limits, cost - 1);
  const resultOf = (result: T): RouteResult => {
    const { status = statusOfOnly(declaration.responses) } = declaration;
    return { status: typeof status === "function" ? status(result) : status, body: declaration.serialize(result) };
  };
  const { idempotent = false } = declaration;
  const repeatable = typeof idempotent === "function" ? idempotent(handled.query) : idempotent;
  const idempotencyKey = repeatable ? request.headers.get("idempotency-key") : null;
  begin();
  if (!key || idempotencyKey === null) {
    const handle = () => declaration.handle({ ...handled, beforeCommit: async () => {} });
    const { fromReplica = false } = declaration;
    const elsewhere = typeof fromReplica === "function" ? fromReplica(handled.query) : fromReplica;
    const result = key && elsewhere ? await readingLists(key.context.account.rootId, handle) : await handle();
    return { ...resultOf(result), headers: declaration.headers?.(result) };
  }
  const attempt = await beginAttempt(key, {
    idempotencyKey: checkedIdempotencyKey(idempotencyKey),
    method: request.method,
    path: pathOf(request.url),
    bodyText: declaration.body ? (json?.text ?? "") : "",
  });
  if (!("complete" in attempt)) return { ...attempt, replayed: true };
  try {
    // `T` cannot stand in the verb's parameter: TypeScript would no longer infer it from the verb's result.
    const beforeCommit: BeforeCommit<unknown> = (tx, result) => attempt.complete(tx, resultOf(result as T));
    const keyed = { ...ctx, idempotencyKey } as typeof ctx;
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
  request: PlainRequest,
  bodyText: string,
): Promise<AskedRequest> {
  if (!continues || !key) return { idempotencyKey: "", fingerprint: "0x" };
  const given = request.headers.get("idempotency-key");
  const fingerprint = await fingerprintOf(key, { method: request.method, path: pathOf(request.url), bodyText });
  return {
    idempotencyKey: given === null ? crypto.randomUUID() : checkedIdempotencyKey(given),
    fingerprint: toHex(fingerprint),
  };
}

/** The status of a response that is the only one; 200 of a route without any. */
function statusOfOnly(responses: Responses = {}): number {
  const [status = 200, ...others] = Object.keys(responses).map(Number);
  if (others.length > 0) throw new Error("a route with several responses does not say which one it returns");
  return status;
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

function checkedIdempotencyKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new ApiError("invalid_request", "An Idempotency-Key has 1 to 255 printable ASCII characters.", {
    param: "Idempotency-Key",
  });
}
