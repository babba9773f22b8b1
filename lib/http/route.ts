import type { z } from "zod";
import { notAgentOwner } from "@/lib/agents/find-own-agent";
import { type AuthenticatedKey, authenticateKey } from "@/lib/auth/authenticate-key";
import { authenticateSession, authenticateWallet, networkParameter } from "@/lib/auth/authenticate-session";
import type { Grant } from "@/lib/auth/unwrap";
import { clientAddressOf } from "@/lib/client-address";
import type { BeforeCommit, KeyContext, SessionContext } from "@/lib/context/context";
import type { RequestOrigin, WalletContext } from "@/lib/context/wallet-context";
import { onBehalfOf } from "@/lib/current-account";
import type { AddressLimit } from "@/lib/env";
import { ApiError } from "@/lib/errors";
import { keepDeclaration, type RouteHandler } from "@/lib/http/declared-route";
import type { AnswerBody, Answers, Documentation } from "@/lib/http/documentation";
import { failure } from "@/lib/http/failure";
import { afterFailedKey, type Caller, type LimitHeaders, limitAddress, limitCaller } from "@/lib/http/limits";
import { rawBody } from "@/lib/http/raw-body";
import { queryOf, type RefusalCode, validate } from "@/lib/http/validate";
import { beginAttempt } from "@/lib/idempotency/begin-attempt";
import { newId } from "@/lib/ids";
import type { KeyScope } from "@/lib/key-scopes";
import { CHAIN_ID, type ChainId, type Network } from "@/lib/network";
import { noteRequest } from "@/lib/telemetry/current-request";
import { MAX_LARGE_BODY_BYTES, readJsonBody } from "./read-json-body";
import { requireSameSite } from "./require-same-site";

/** A request nobody has to sign in for. */
interface PublicContext {
  actor: "public";
  network: Network;
  chainId: ChainId;
  requestId: string;
  clientAddress: string | null;
}

/** Who may call: an API key; a wallet's session whose account exists; a wallet's session; anybody. */
interface ContextOf {
  apiKey: KeyContext;
  session: SessionContext;
  wallet: WalletContext;
  public: PublicContext;
}

/** What a verb gets of a request. */
interface Handled<C, B, Q> {
  ctx: C;
  body: B;
  query: Q;
  params: Record<string, string>;
  /** The `Cookie` header. */
  cookies: string | null;
  /** Completes the `Idempotency-Key` inside the verb's own transaction, with what `handle` will return; else nothing. */
  beforeCommit: BeforeCommit<unknown>;
}

/** A route as it is declared in `app/`: who may call, what it takes, which verb answers, what is let out. */
interface Declaration<A extends keyof ContextOf, B, Q, T, R extends Answers | undefined> {
  auth: A;
  /** What the API reference says of it; a test wants it of every route under /v1. */
  docs?: A extends "apiKey" ? Documentation : never;
  /** Schemas of the answers of success, by status; `serialize` lets out nothing else. */
  answers?: R;
  /** Whether keys of one agent may call; when left out they are `key_forbidden`. API keys only. */
  agentKeys?: A extends "apiKey" ? "allowed" | "not_agent_owner" : never;
  /** What a key that is narrowed to scopes must have to call; narrowed keys call nothing without one. API keys only. */
  scope?: A extends "apiKey" ? KeyScope : never;
  /** Takes `?agent=` (handle or id) and acts for that agent of the account. Sessions only. */
  actsForAgents?: A extends "session" ? true : never;
  /** Honours `Idempotency-Key`, always or by query; the verb must call `beforeCommit`. API keys only. */
  idempotent?: A extends "apiKey" ? boolean | ((query: Q) => boolean) : never;
  /** Counts the request against its client address, by what it asks for. */
  limit?: AddressLimit;
  /** How many requests this counts as, where that depends on its body; one when left out. */
  cost?: (body: B) => number;
  /** What the verb may open of the key's wraps; nothing when left out. */
  opens?: A extends "apiKey" ? Exclude<Grant, "nothing"> : never;
  /** The status of success, when left out that of the one answer, else 200; a function where it depends on the outcome. */
  status?: number | ((result: T) => number);
  body?: z.ZodType<B>;
  /** Takes a body of up to 2 MiB instead of 64 KiB. Sessions only. */
  largeBody?: A extends "session" ? true : never;
  /** Code of a refused body, by the field at fault where it depends on that; `invalid_request` when left out. */
  invalidBody?: RefusalCode | ((param: string) => RefusalCode);
  query?: z.ZodType<Q>;
  /** The answer, field by field; null answers without a body. */
  serialize: (result: T) => AnswerBody<R>;
  /** Further headers of an answer of success. */
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
  R extends Answers | undefined = undefined,
>(declaration: Declaration<A, B, Q, T, R>): RouteHandler {
  const handler: RouteHandler = async (request, { params }) => {
    const requestId = newId("request");
    const limits: LimitHeaders = {};
    noteRequest({ requestId });
    try {
      const answer = await answerTo(declaration, request, await params, requestId, limits);
      const text = answer.body === null ? null : JSON.stringify(answer.body);
      return new Response(text, {
        status: answer.status,
        headers: {
          ...(text === null ? {} : { "content-type": "application/json" }),
          "cache-control": "no-store",
          "x-request-id": requestId,
          ...(answer.replayed ? { "idempotent-replayed": "true" } : {}),
          ...answer.headers,
          ...limits,
        },
      });
    } catch (thrown) {
      return failure(thrown, requestId, `${request.method} ${pathOf(request.url)}`, limits);
    }
  };
  keepDeclaration(handler, { ...declaration, idempotent: Boolean(declaration.idempotent) });
  return handler;
}

interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  replayed?: boolean;
}

async function answerTo<A extends keyof ContextOf, B, Q, T, R extends Answers | undefined>(
  declaration: Declaration<A, B, Q, T, R>,
  request: Request,
  params: Record<string, string | string[] | undefined>,
  requestId: string,
  limits: LimitHeaders,
): Promise<Answer> {
  const { search, network, agent } = parametersOf(declaration, request.url);
  const origin = { requestId, clientAddress: clientAddressOf(request.headers) };
  const key =
    declaration.auth === "apiKey"
      ? await authenticateKey(request.headers.get("authorization"), origin, declaration.opens ?? "nothing").catch(
          async (error) => {
            throw await afterFailedKey(error, origin.clientAddress, limits);
          },
        )
      : undefined;
  const place = { network, chainId: CHAIN_ID[network], ...origin };
  const ctx = (key?.context ?? (await contextOf(declaration.auth, request, place, agent))) as ContextOf[A];
  const caller = callerOf(ctx);
  const serve = () => served(declaration, request, { key, ctx, caller, params, search }, limits);
  return caller ? onBehalfOf(caller.root, serve) : serve();
}

/** A request whose caller is known. */
interface Called<C> {
  key: AuthenticatedKey | undefined;
  ctx: C;
  caller: Caller | undefined;
  params: Record<string, string | string[] | undefined>;
  search: URLSearchParams;
}

async function served<A extends keyof ContextOf, B, Q, T, R extends Answers | undefined>(
  declaration: Declaration<A, B, Q, T, R>,
  request: Request,
  { key, ctx, caller, params, search }: Called<ContextOf[A]>,
  limits: LimitHeaders,
): Promise<Answer> {
  if (caller) await limitCaller(caller, limits);
  if (key) checkAgentKey(key.context, declaration.agentKeys);
  if (key) checkScope(key.context, declaration.scope);
  if (declaration.limit) await limitAddress(declaration.limit, ctx.clientAddress, limits);
  const most = declaration.largeBody && MAX_LARGE_BODY_BYTES;
  const json = declaration.body ? await readJsonBody(request, rawBody(), most) : undefined;
  const handled = {
    ctx,
    body: (declaration.body
      ? validate(declaration.body, json?.value, "body", declaration.invalidBody)
      : undefined) as B,
    query: (declaration.query ? validate(declaration.query, queryOf(search), "query") : undefined) as Q,
    params: params as Record<string, string>,
    cookies: request.headers.get("cookie"),
  };
  // One was counted before anything of it was read.
  const cost = declaration.cost?.(handled.body) ?? 1;
  if (caller && cost > 1) await limitCaller(caller, limits, cost - 1);
  const answerOf = (result: T): Answer => {
    const { status = statusOfOnly(declaration.answers) } = declaration;
    return { status: typeof status === "function" ? status(result) : status, body: declaration.serialize(result) };
  };
  const { idempotent = false } = declaration;
  const repeatable = typeof idempotent === "function" ? idempotent(handled.query) : idempotent;
  const idempotencyKey = repeatable ? request.headers.get("idempotency-key") : null;
  if (!key || idempotencyKey === null) {
    const result = await declaration.handle({ ...handled, beforeCommit: async () => {} });
    return { ...answerOf(result), headers: declaration.headers?.(result) };
  }
  const attempt = await beginAttempt(key, {
    idempotencyKey: checkedIdempotencyKey(idempotencyKey),
    method: request.method,
    path: pathOf(request.url),
    bodyText: json?.text ?? "",
  });
  if (!("complete" in attempt)) return { ...attempt, replayed: true };
  try {
    // `T` cannot stand in the verb's parameter: TypeScript would no longer infer it from the verb's result.
    const beforeCommit: BeforeCommit<unknown> = (tx, result) => attempt.complete(tx, answerOf(result as T));
    return answerOf(await declaration.handle({ ...handled, beforeCommit }));
  } catch (error) {
    await attempt.abandon();
    throw error;
  }
}

/** The status of an answer that is the only one; 200 of a route without any. */
function statusOfOnly(answers: Answers = {}): number {
  const [status = 200, ...others] = Object.keys(answers).map(Number);
  if (others.length > 0) throw new Error("a route with several responses does not say which one it returns");
  return status;
}

/** Whom limits count, and whose turn it is; nobody of a request for which one need not sign in. */
function callerOf(ctx: KeyContext | SessionContext | WalletContext | PublicContext): Caller | undefined {
  if (ctx.actor === "public") return undefined;
  const { chainId } = ctx;
  if (ctx.actor === "key") return { kind: "api_key", id: ctx.keyId, chainId, root: ctx.account.rootAddress };
  const root = ctx.actor === "wallet" ? ctx.address : ctx.account.rootAddress;
  return { kind: "session", id: ctx.sessionId, chainId, root };
}

function contextOf(
  auth: keyof ContextOf,
  request: Request,
  place: RequestOrigin,
  agent: string | undefined,
): Promise<SessionContext | WalletContext> | PublicContext {
  if (auth === "public") return { actor: "public", ...place };
  requireSameSite(request);
  const cookies = request.headers.get("cookie");
  return auth === "session" ? authenticateSession(cookies, place, agent) : authenticateWallet(cookies, place);
}

/** Keys of one agent reach a few routes only (docs/contract-notes.md, Keys). */
function checkAgentKey({ account }: KeyContext, agentKeys: "allowed" | "not_agent_owner" | undefined): void {
  if (account.type !== "agent" || agentKeys === "allowed") return;
  if (agentKeys === "not_agent_owner") throw notAgentOwner();
  throw new ApiError("key_forbidden", "An agent's key does not reach this. Use a key of its owner's account.");
}

/** A key without scopes does everything; a narrowed one what its scopes name. */
function checkScope({ scopes }: KeyContext, scope: KeyScope | undefined): void {
  if (scopes === null || (scope !== undefined && scopes.includes(scope))) return;
  throw new ApiError("key_forbidden", `This API key lacks the scope "${scope ?? "none"}". Use one that has it.`);
}

/** The query without `network` and `agent`, which routes of sessions take; a key has its own. */
function parametersOf(
  { auth, actsForAgents }: { auth: keyof ContextOf; actsForAgents?: true },
  url: string,
): { search: URLSearchParams; network: Network; agent?: string } {
  const at = url.indexOf("?");
  const search = new URLSearchParams(at < 0 ? "" : url.slice(at));
  if (auth === "apiKey") return { search, network: "test" };
  const network = networkParameter(search.getAll("network"));
  search.delete("network");
  const agents = actsForAgents ? search.getAll("agent") : [];
  if (agents.length === 0) return { search, network };
  if (agents.length > 1) throw new ApiError("invalid_request", "Name one agent.", { param: "agent" });
  search.delete("agent");
  return { search, network, agent: agents[0] };
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
