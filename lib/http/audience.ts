/**
 * Requests that this process makes to its own routes for the holder of an access token, with the address for which the
 * token works.
 */
const AUDIENCES = new WeakMap<object, string>();

/**
 * Marks a request that this process makes itself, so that routes accept an access token instead of an API key. Requests
 * from outside can't be marked, so a token never works as an API key.
 *
 * @param audience the address for which the token was issued
 */
export function forAudience(request: Request, audience: string): Request {
  AUDIENCES.set(request, audience);
  return request;
}

/**
 * Returns the address whose access tokens a request may use; null if it needs an API key, like every request from
 * outside.
 */
export function audienceOf(request: object): string | null {
  return AUDIENCES.get(request) ?? null;
}
