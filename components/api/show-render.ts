import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** Renders that were shown already: a page that is gone back to brings its old one along. */
const shown = new WeakSet<object>();

/**
 * Shows what the server has rendered in place of what the cache holds from before: `initialData` counts only where
 * there is nothing. A page asked for a moment ago may be overtaken by a response that came meanwhile; then it is asked
 * for once more.
 *
 * @param recentMs a response younger than that may be newer than the render
 */
export function showRender(client: QueryClient, key: QueryKey, render: unknown, recentMs: number): void {
  if (typeof render !== "object" || render === null || shown.has(render)) return;
  shown.add(render);
  const { data, dataUpdatedAt } = client.getQueryState(key) ?? {};
  // Nothing was there before, and the cache took the render itself.
  if (data === undefined || data === render) return;
  const mayBeNewer = Date.now() - (dataUpdatedAt ?? 0) < recentMs;
  client.setQueryData(key, render);
  if (mayBeNewer) void client.invalidateQueries({ queryKey: key, exact: true });
}
