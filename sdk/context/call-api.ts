import type { HttpRequest } from "../api/http";
import type { Context } from "./context";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** What a call of `/v1` sends, and how it identifies its caller. */
interface ApiCall extends Pick<HttpRequest, "json" | "query"> {
  /** By default the wallet's session, if there is a wallet, and otherwise the API key. */
  by?: "key" | "session" | undefined;
  /** Makes a POST with an API key safe to repeat; by default a new one. Sessions have none. */
  idempotencyKey?: string | undefined;
}

/** Calls an operation of `/v1`, which takes API keys and sessions alike. */
export async function callApi<T>(
  context: Context,
  method: Method,
  path: `/v1/${string}`,
  { json, query, by = context.hasWallet ? "session" : "key", idempotencyKey = crypto.randomUUID() }: ApiCall = {},
): Promise<T> {
  if (by === "session") return (await context.session()).call<T>(method, path, { json, query });
  const headers = { ...context.bearer, ...(method === "POST" && { "idempotency-key": idempotencyKey }) };
  return (await context.http.send(method, path, { json, query, headers })).body as T;
}

/** Prefers the API key, which makes a repeated POST safe. */
export const keyFirst = ({ hasWallet, hasApiKey }: Context) => (hasWallet && !hasApiKey ? "session" : "key");
