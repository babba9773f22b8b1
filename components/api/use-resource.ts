"use client";

import { type UseQueryResult, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLayoutEffect } from "react";
import type { HttpRequest } from "@/sdk/api/http";
import { type Api, api } from "./api";
import { cacheRender } from "./cache-render";
import { useNetwork } from "./network-context";
import { FRESH_MS } from "./query-provider";
import { type ResourcePath, resourceKeys } from "./resource-keys";

/**
 * Returns a resource of the session API: at first as the server rendered it, then kept current.
 *
 * @param path such as `/api/keys`
 * @param options.initial the same resource, rendered by the page's server component
 * @param options.read reads it, if that takes more than one request
 */
export function useResource<T>(
  path: ResourcePath,
  options: {
    query?: HttpRequest["query"];
    initial?: T;
    enabled?: boolean;
    refetchInterval?: number | false;
    read?: (api: Api) => Promise<T>;
  } = {},
): UseQueryResult<T> {
  const network = useNetwork();
  const client = useQueryClient();
  const { query, initial, enabled, refetchInterval, read } = options;
  const key = resourceKeys.one(network, path, query);
  // A layout effect, to run before the browser paints. On the server there is no older cache.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a render is shown once, under the key it came with
  useLayoutEffect(() => cacheRender(client, key, initial, FRESH_MS), [client, initial]);
  return useQuery({
    queryKey: key,
    queryFn: () => (read ? read(api(network)) : api(network).get<T>(path, query)),
    initialData: initial,
    enabled,
    refetchInterval,
  });
}
