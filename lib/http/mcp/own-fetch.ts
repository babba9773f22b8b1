import { withRequest } from "@/lib/base/telemetry/current-request";
import { forAudience } from "@/lib/http/audience";
import type { RouteHandler } from "@/lib/http/declared-route";
import { withRawBody } from "@/lib/http/raw-body";

/** Routes of this service by method and pattern, such as `GET /v1/transfers/{transfer_id}`. */
export type OwnRoutes = Readonly<Record<string, RouteHandler>>;

/**
 * Returns a `fetch` that calls this service's own routes in this process. An access token is passed to them with the
 * address for which it was issued, and they check it like an API key.
 *
 * @param routes the only routes that can be called
 * @param headers sent with each request; they identify the caller
 */
export function ownFetch(routes: OwnRoutes, audience: string, headers: Record<string, string>): typeof fetch {
  const table = Object.entries(routes).map(([name, handler]) => {
    const [method = "", pattern = ""] = name.split(" ");
    const expression = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    return { method, expression, handler };
  });
  return async (input, init) => {
    const request = forAudience(new Request(input instanceof Request ? input : String(input), init), audience);
    for (const [name, value] of Object.entries(headers)) request.headers.set(name, value);
    const { pathname } = new URL(request.url);
    for (const { method, expression, handler } of table) {
      const match = method === request.method && expression.exec(pathname);
      if (!match) continue;
      // A request of its own: its body is not the outer one's, and what the route records does not mix with that.
      const params = Promise.resolve(decoded(match.groups));
      return withRawBody(undefined, () => withRequest({}, () => handler(request, { params })));
    }
    throw new Error(`${request.method} ${pathname} is not served to applications`);
  };
}

const decoded = (groups: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
