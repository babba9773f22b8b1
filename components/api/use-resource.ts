"use client";

import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import type { HttpRequest } from "@/sdk/api/http";
import { api } from "./api";
import { useNetwork } from "./network-context";
import { FRESH_MS } from "./query-provider";
import { type ResourcePath, resourceKeys } from "./resource-keys";
import { showRender } from "./show-render";

/**
 * A resource of the session API, first as the server rendered it, then kept fresh.
 *
 * @param path such as `/api/keys`
 * @param options.initial the same resource, from the page's server component
 */
export function useResource<T>(
  path: ResourcePath,
  options: { query?: HttpRequest["query"]; initial?: T; enabled?: boolean; refetchInterval?: number | false } = {},
): UseQueryResult<T> {
  const network = useNetwork();
  const client = useQueryClient();
  const { query, initial, enabled, refetchInterval } = options;
  const key = resourceKeys.one(network, path, query);
  // Before the browser paints. On the server there is no cache from before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a render is shown once, under the key it came with
  useLayoutEffect(() => showRender(client, key, initial, FRESH_MS), [client, initial]);
  return useQuery({
    queryKey: key,
    queryFn: () => api(network).get<T>(path, query),
    initialData: initial,
    enabled,
    refetchInterval,
  });
}
