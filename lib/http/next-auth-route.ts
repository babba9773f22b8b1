import { NextRequest } from "next/server";
import { clientAddressOf } from "@/lib/base/client-address";
import { ApiError } from "@/lib/base/errors";
import { newId } from "@/lib/base/ids";
import { CHAIN_ID } from "@/lib/base/network";
import { noteRequest } from "@/lib/base/telemetry/current-request";
import { authenticateWallet } from "@/lib/http/auth/authenticate-session";
import { secureCookies, sessionCookieName } from "@/lib/http/auth/session-cookie";
import { rethrowing } from "@/lib/http/auth/sign-in-failure";
import { failure } from "@/lib/http/failure";
import { OPEN_BODY_LIMIT } from "@/lib/http/front";
import { type LimitHeaders, limitAddress } from "@/lib/http/limits";
import { readBytes } from "@/lib/http/read-json-body";

/** next-auth's own handler. */
export type NextAuthHandler = (
  request: Request,
  context: { params: Promise<{ nextauth: string[] }> },
) => Promise<Response>;

/** The endpoints of next-auth that are needed (docs/session-api.md), with their methods. All others are closed. */
const OPEN: Readonly<Record<string, "GET" | "POST">> = {
  csrf: "GET",
  session: "GET",
  "callback/siwe": "POST",
  signout: "POST",
};

/**
 * Wraps next-auth's handler: allows only the needed endpoints, limits the size of bodies, counts attempts by client
 * address and disables caching. Errors become responses in our format.
 */
export function nextAuthRoute(handle: NextAuthHandler): NextAuthHandler {
  return async (request, context) => {
    const requestId = newId("request");
    const limits: LimitHeaders = {};
    noteRequest({ requestId });
    try {
      const endpoint = (await context.params).nextauth.join("/");
      requireOpen(endpoint, request.method, limits);
      requireOwnCookie(request.headers.get("cookie"), limits);
      const isPost = request.method === "POST";
      const ends = isPost ? undefined : await endOf(request);
      if (!ends) await limitAddress(isPost ? "sign_in" : "public", clientAddressOf(request.headers), limits);
      const handled = async () => handle(await readRequest(request), context);
      const response = endpoint === "session" && !ends ? nobody() : await rethrowing(handled);
      if (endpoint === "session" && ends)
        return withHeaders(await endingAt(response, ends), { "cache-control": "no-store", "x-request-id": requestId });
      // Otherwise pages and responses in the browser's cache would still show the signed-out account to anyone who goes
      // back.
      if (endpoint === "signout") response.headers.set("clear-site-data", '"cache"');
      return withHeaders(response, { "cache-control": "no-store", "x-request-id": requestId, ...limits });
    } catch (thrown) {
      return failure(thrown, requestId, `${request.method} /api/auth`, limits);
    }
  };
}

function requireOpen(endpoint: string, method: string, headers: Record<string, string>): void {
  const open = Object.hasOwn(OPEN, endpoint) ? OPEN[endpoint] : undefined;
  if (!open) throw new ApiError("not_found", "There is nothing at this address. Compare it with docs/session-api.md.");
  if (method === open || (method === "HEAD" && open === "GET")) return;
  headers.allow = open;
  throw new ApiError("method_not_allowed", `This address supports only ${open}.`);
}

/** Refuses a request whose cookie for next-auth's callback address was tampered with, and removes the cookie. */
function requireOwnCookie(cookies: string | null, headers: Record<string, string>): void {
  const name = `${secureCookies() ? "__Secure-" : ""}next-auth.callback-url`;
  for (const pair of cookies?.split(/; */) ?? []) {
    if (!pair.startsWith(`${name}=`) || isWebAddress(pair.slice(name.length + 1))) continue;
    headers["set-cookie"] = `${name}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secureCookies() ? "; Secure" : ""}`;
    throw new ApiError("invalid_request", `The cookie ${name} holds no address. It has been removed; try again.`);
  }
}

function isWebAddress(encoded: string): boolean {
  try {
    return /^https?:$/.test(new URL(decodeURIComponent(encoded)).protocol);
  } catch {
    return false;
  }
}

/**
 * Returns the request for next-auth, with a size-limited body and without a query. next-auth does not need the query,
 * and responds with 500 if its `callbackUrl` is not an address.
 */
async function readRequest(request: Request): Promise<NextRequest> {
  const { headers } = request;
  const url = request.url.replace(/\?.*$/s, "");
  if (request.method !== "POST") return new NextRequest(url, { headers });
  if (!/^\s*application\/x-www-form-urlencoded\s*(;|$)/i.test(headers.get("content-type") ?? "")) {
    throw new ApiError("invalid_request", "Send the body as a form (application/x-www-form-urlencoded).", {
      status: 415,
    });
  }
  const bytes = await readBytes(request, OPEN_BODY_LIMIT.kib * 1024);
  return new NextRequest(url, { method: "POST", headers, body: new TextDecoder().decode(bytes) });
}

/**
 * Returns when the session ends; undefined if it has ended. next-auth's own token stays valid after a revocation and
 * after the session's end.
 */
async function endOf(request: Request): Promise<Date | undefined> {
  const origin = { network: "test", chainId: CHAIN_ID.test, requestId: "", clientAddress: null } as const;
  return authenticateWallet(request.headers.get("cookie"), origin).then(
    ({ sessionEndsAt }) => sessionEndsAt,
    (error) => {
      if (error instanceof ApiError && error.code === "unauthorized") return undefined;
      throw error;
    },
  );
}

/** Replaces the expiry in next-auth's session response, which is the cookie's, with the session's. */
async function endingAt(response: Response, ends: Date): Promise<Response> {
  const { user } = (await response.json()) as { user?: unknown };
  return Response.json({ user, expires: ends.toISOString() });
}

/** Returns next-auth's response to a browser that is not signed in, and removes its session cookie. */
function nobody(): Response {
  const secure = secureCookies() ? "; Secure" : "";
  const cookie = `${sessionCookieName()}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax${secure}`;
  return new Response("{}", { headers: { "content-type": "application/json", "set-cookie": cookie } });
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
