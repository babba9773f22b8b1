import type { Network } from "@/lib/base/network";
import type { HttpRequest } from "@/sdk/api/http";

/** Collections that pages cache. */
export const COLLECTIONS = [
  "/v1/accounts/me",
  "/api/agents",
  "/v1/accounts/me/agents",
  "/v1/agents",
  "/api/agents/transactions",
  "/v1/agents/transactions",
  "/v1/audit-log",
  "/api/backups",
  "/api/connections",
  "/api/deliveries",
  "/api/shared-views",
  "/v1/events",
  "/api/keys",
  "/api/limits",
  "/api/notifications",
  "/v1/payment-requests",
  "/v1/schedules",
  "/v1/payouts",
  "/api/sessions",
  "/v1/transfers",
  "/v1/webhooks",
] as const;

type Collection = (typeof COLLECTIONS)[number];
/** A path of the service: a collection, or something below one. The compiler rejects other paths. */
export type ResourcePath = Collection | `${Collection}/${string}` | `${Collection}?${string}`;

type Key = readonly unknown[];

/** Returns the collection that a path belongs to: of several, the one that names most of it. */
function collectionOf(path: string): Collection | undefined {
  const above = COLLECTIONS.filter((one) => path === one || path.startsWith(`${one}/`) || path.startsWith(`${one}?`));
  return above.sort((a, b) => b.length - a.length)[0];
}

/** Builds the query-cache keys of the service's resources. */
export const resourceKeys = {
  /** One resource with its query. */
  one: (network: Network, path: ResourcePath, query: HttpRequest["query"] = {}): Key => [network, path, query],
  /** A collection with any query, but nothing below it. */
  collection: (network: Network, path: Collection): Key => [network, path],
  /**
   * Returns a predicate that matches the given collections of one network and everything below them, except what belongs
   * to a collection of its own: payments awaiting approval don't change with an agent.
   */
  below:
    (network: Network, ...paths: Collection[]) =>
    ({ queryKey: [of, path] }: { queryKey: Key }): boolean =>
      of === network && typeof path === "string" && paths.some((one) => one === collectionOf(path)),
};
