"use client";

import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { Network } from "@/lib/network";
import type { HttpRequest } from "@/sdk/api/http";
import { api } from "./api";
import { useNetwork } from "./network-context";

/** The name of a resource in the cache: invalidate `[network, path]` for all its queries. */
export function resourceKey(network: Network, path: string, query: HttpRequest["query"] = {}): unknown[] {
  return [network, path, query];
}

/**
 * A resource of the session API, first as the server rendered it, then kept fresh.
 *
 * @param path such as `/api/keys`
 * @param options.initial the same resource, from the page's server component
 */
export function useResource<T>(
  path: string,
  options: { query?: HttpRequest["query"]; initial?: T; enabled?: boolean; refetchInterval?: number | false } = {},
): UseQueryResult<T> {
  const network = useNetwork();
  const { query, initial, enabled, refetchInterval } = options;
  return useQuery({
    queryKey: resourceKey(network, path, query),
    queryFn: () => api(network).get<T>(path, query),
    initialData: initial,
    enabled,
    refetchInterval,
  });
}
