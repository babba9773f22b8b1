import { clientAddressOf } from "@/lib/base/client-address";
import type { KeyContext, SessionContext } from "@/lib/base/context/context";
import type { RequestOrigin, WalletContext } from "@/lib/base/context/wallet-context";
import { env } from "@/lib/base/env";
import { ApiError } from "@/lib/base/errors";
import { CHAIN_ID, type ChainId, type Network } from "@/lib/base/network";
import { type AuthenticatedKey, authenticateKey } from "@/lib/http/auth/authenticate-key";
import { authenticateSession, authenticateWallet, networkParameter } from "@/lib/http/auth/authenticate-session";
import { hasSessionCookie, sessionCookieOf } from "@/lib/http/auth/read-session-cookie";
import type { Grant } from "@/lib/http/auth/unwrap";
import { lineOf } from "./account-concurrency";
import type { Caller } from "./caller";
import { type Auth, takesCaller } from "./declared-route";
import { forgetCaller, rememberCaller } from "./known-callers";
import { afterFailedCaller, type LimitHeaders, refuseSpent } from "./limits";
import type { PlainRequest } from "./plain-response";

/** The context of a request that needs no authentication. */
interface PublicContext {
  actor: "public";
  network: Network;
  chainId: ChainId;
  requestId: string;
  clientAddress: string | null;
}

interface Contexts {
  key: KeyContext;
  session: SessionContext;
  wallet: WalletContext;
  public: PublicContext;
}

/** The kinds of caller that a route takes. */
export type KindOf<A extends Auth> = A extends readonly (infer K)[] ? K : A;

/** The context of a request, by who may call its route. */
export type ContextOf<A extends Auth> = Contexts[KindOf<A> & keyof Contexts];

/** A request with its authenticated caller. */
export interface AuthenticatedRequest<C> {
  key: AuthenticatedKey | undefined;
  ctx: C;
  /** The caller for rate limits and turns; undefined if the route needs no authentication. */
  caller: Caller | undefined;
  /** The query without the parameters that select the account the caller acts for. */
  search: URLSearchParams;
}

/**
 * Returns how a request to a route identifies its caller. Where keys and sessions are taken, the header `Authorization`
 * decides: a request that has one is its key's alone, even if that key is not valid. Browsers add cookies by themselves,
 * also to what another site makes them send, but never this header.
 */
function kindOfCaller(auth: Auth, { headers }: Pick<PlainRequest, "headers">): keyof Contexts {
  if (typeof auth === "string") return auth;
  const isSession = headers.get("authorization") === null && hasSessionCookie(headers.get("cookie"));
  return isSession ? "session" : "key";
}

/** What a declaration says of its caller. */
interface DeclaredCaller<A extends Auth> {
  auth: A;
  opens?: Exclude<Grant, "nothing">;
  actsForAgents?: true;
}

/**
 * Authenticates the caller of a route, and determines the account it acts for.
 *
 * @throws ApiError `unauthorized`, `invalid_request` or `not_found`; `rate_limited` for a key that is over its limit
 */
export async function authenticateCaller<A extends Auth>(
  declared: DeclaredCaller<A>,
  request: PlainRequest,
  query: URLSearchParams,
  requestId: string,
  limits: LimitHeaders,
): Promise<AuthenticatedRequest<ContextOf<A>>> {
  const kind = kindOfCaller(declared.auth, request);
  const authorization = request.headers.get("authorization");
  if (kind === "key") await refuseSpent(authorization, limits);
  const { search, network, agent } = parametersOf(kind, declared, query);
  const sender = { requestId, clientAddress: clientAddressOf(request.headers) };
  const credential = () => (kind === "key" ? authorization : sessionCookieOf(request.headers.get("cookie")));
  try {
    const key = kind === "key" ? await authenticateKey(authorization, sender, declared.opens ?? "nothing") : undefined;
    const origin = { network, chainId: CHAIN_ID[network], ...sender };
    const ctx = (key?.context ?? (await contextOf(kind, request, origin, agent))) as ContextOf<A>;
    const caller = callerOf(ctx);
    if (caller) rememberCaller(credential(), lineOf(caller));
    return { key, ctx, caller, search };
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthorized") forgetCaller(credential());
    const limit = kind === "key" ? "failed_keys" : "public";
    throw await afterFailedCaller(limit, error, sender.clientAddress, limits);
  }
}

/**
 * Returns the caller of an operation that an application runs, as a key of its agent, whose token is authenticated
 * already.
 */
export function asConnection<A extends Auth>(
  declared: DeclaredCaller<A>,
  connection: AuthenticatedKey,
  search: URLSearchParams,
  requestId: string,
): AuthenticatedRequest<ContextOf<A>> {
  if (!takesCaller(declared.auth, "key")) throw new Error("an operation that takes no key");
  const key = connection.withGrant(declared.opens ?? "nothing", requestId);
  return { key, ctx: key.context as ContextOf<A>, caller: callerOf(key.context), search };
}

function callerOf(ctx: KeyContext | SessionContext | WalletContext | PublicContext): Caller | undefined {
  if (ctx.actor === "public") return undefined;
  const { chainId } = ctx;
  if (ctx.actor === "key") {
    const { rootAddress: root, type } = ctx.account;
    return { kind: "api_key", id: ctx.keyId, chainId, root, ofAgent: type === "agent" };
  }
  const root = ctx.actor === "wallet" ? ctx.address : ctx.account.rootAddress;
  return { kind: "session", id: ctx.sessionId, chainId, root };
}

function contextOf(
  kind: keyof Contexts,
  request: PlainRequest,
  origin: RequestOrigin,
  agent: string | undefined,
): Promise<SessionContext | WalletContext> | PublicContext {
  if (kind === "public") return { actor: "public", ...origin };
  requireSameSite(request);
  const cookies = request.headers.get("cookie");
  return kind === "session" ? authenticateSession(cookies, origin, agent) : authenticateWallet(cookies, origin);
}

/**
 * Returns the query without `network` and `agent`, with which a session says for what it acts. For a key, both are
 * determined by the key.
 */
function parametersOf(
  kind: keyof Contexts,
  { actsForAgents }: { actsForAgents?: true },
  query: URLSearchParams,
): { search: URLSearchParams; network: Network; agent?: string } {
  const search = new URLSearchParams(query);
  if (kind === "key") return { search, network: "test" };
  const network = networkParameter(search.getAll("network"));
  search.delete("network");
  const agents = actsForAgents ? search.getAll("agent") : [];
  if (agents.length === 0) return { search, network };
  if (agents.length > 1) throw new ApiError("invalid_request", "Name one agent.", { param: "agent" });
  search.delete("agent");
  return { search, network, agent: agents[0] };
}

/**
 * Refuses requests that another site could make a browser send with our cookies (CSRF). A form can't have the content
 * type `application/json`, and a script from another origin is identified by `Origin`. In addition, cookies are
 * SameSite=Lax.
 */
function requireSameSite(request: Pick<PlainRequest, "method" | "headers">): void {
  if (request.method === "GET" || request.method === "HEAD") return;
  const type = request.headers.get("content-type") ?? "";
  if (!/^\s*application\/json\s*(;|$)/i.test(type)) {
    throw new ApiError("invalid_request", "Send the header `Content-Type: application/json`.", { status: 415 });
  }
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== env().origin) {
    throw new ApiError("key_forbidden", "This request comes from another site. Use the service's own pages.");
  }
}
