/** Requests that this process makes of its own routes for the bearer of an access token, and where that token works. */
const AUDIENCES = new WeakMap<object, string>();

/**
 * Has a request of this process's own making be served by an access token instead of an API key. What arrives from outside
 * can't be marked, so a token is no API key.
 *
 * @param audience the address the token was issued for
 */
export function forAudience(request: Request, audience: string): Request {
  AUDIENCES.set(request, audience);
  return request;
}

/** Whose tokens serve a request; null: API keys do, as of every request from outside. */
export function audienceOf(request: object): string | null {
  return AUDIENCES.get(request) ?? null;
}
