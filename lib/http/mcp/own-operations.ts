import { withRequest } from "@/lib/base/telemetry/current-request";
import type { RouteHandler } from "@/lib/http/declared-route";
import { operationOf, type TokenHolder } from "@/lib/http/operation";
import { toResponse } from "@/lib/http/plain-response";
import { readJsonBytes } from "@/lib/http/read-json-body";

/** Operations of this service by method and pattern, such as `GET /v1/transfers/{transfer_id}`. */
export type OwnOperations = Readonly<Record<string, RouteHandler>>;

/**
 * Returns a `fetch` for a client inside this process: it runs the service's own operations for the holder of an access
 * token, with every guard that they have at /v1.
 *
 * @param operations the only ones that can be run
 */
export function ownOperations(operations: OwnOperations, holder: TokenHolder): typeof fetch {
  const table = Object.entries(operations).map(([name, handler]) => {
    const [method = "", pattern = ""] = name.split(" ");
    const expression = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
    return { method, expression, run: operationOf(handler) };
  });
  return async (input, init = {}) => {
    const { pathname: path, searchParams: search } = new URL(String(input));
    const body = new TextEncoder().encode(String(init.body ?? ""));
    const sent = { headers: new Headers(), body: null, readBody: async () => body };
    for (const { method, expression, run } of table) {
      const match = method === init.method && expression.exec(path);
      if (!match) continue;
      const call = {
        ...{ method, path, search, authorization: holder.authorization, cookies: null },
        idempotencyKey: new Headers(init.headers).get("idempotency-key"),
        readBody: (limit: Parameters<typeof readJsonBytes>[1], line?: string) => readJsonBytes(sent, limit, line),
      };
      // What the operation records does not mix with what the tool's request does.
      return toResponse(await withRequest({}, () => run(holder, call, decoded(match.groups))));
    }
    throw new Error(`${init.method} ${path} is not served to applications`);
  };
}

const decoded = (groups: Record<string, string> = {}) =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)]));
