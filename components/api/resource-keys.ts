import type { Network } from "@/lib/network";
import type { HttpRequest } from "@/sdk/api/http";

/** Collections of the session API that pages keep in the cache. */
export const COLLECTIONS = [
  "/api/accounts/me",
  "/api/agents",
  "/api/agents/transactions",
  "/api/audit-log",
  "/api/backups",
  "/api/connections",
  "/api/deliveries",
  "/api/disclosures",
  "/api/events",
  "/api/keys",
  "/api/limits",
  "/api/notifications",
  "/api/payment-requests",
  "/api/schedules",
  "/api/payouts",
  "/api/sessions",
  "/api/transfers",
  "/api/webhooks",
] as const;

type Collection = (typeof COLLECTIONS)[number];
/** A resource of the session API: a collection, or what is below one. A wrong path doesn't compile. */
export type ResourcePath = Collection | `${Collection}/${string}` | `${Collection}?${string}`;

type Key = readonly unknown[];

/** The keys of the session API's resources in the query cache. */
export const resourceKeys = {
  /** One resource, with its query. */
  one: (network: Network, path: ResourcePath, query: HttpRequest["query"] = {}): Key => [network, path, query],
  /** A collection, with every query, without what is below it. */
  collection: (network: Network, path: Collection): Key => [network, path],
  /** Matches a collection and everything below it. Give `paths` of one network. */
  below:
    (network: Network, ...paths: Collection[]) =>
    ({ queryKey: [of, path] }: { queryKey: Key }): boolean =>
      of === network && typeof path === "string" && paths.some((one) => path.startsWith(one)),
};
