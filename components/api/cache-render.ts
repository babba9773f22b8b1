import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Renders shown before. Going back to a page brings its old render along, which must not be shown again. */
const shown = new WeakSet<object>();

/**
 * Puts the server's render into the cache in place of older data. (`initialData` alone has no effect if the cache has
 * an entry.) If the cached data is so recent that it may be newer than the render, the resource is fetched once more.
 *
 * @param recentMs data younger than this may be newer than the render, in milliseconds
 */
export function cacheRender(client: QueryClient, key: QueryKey, render: unknown, recentMs: number): void {
  if (typeof render !== "object" || render === null || shown.has(render)) return;
  shown.add(render);
  const { data, dataUpdatedAt } = client.getQueryState(key) ?? {};
  // The cache was empty and took the render as its initial data.
  if (data === undefined || data === render) return;
  const mayBeNewer = Date.now() - (dataUpdatedAt ?? 0) < recentMs;
  client.setQueryData(key, render);
  if (mayBeNewer) void client.invalidateQueries({ queryKey: key, exact: true });
}
