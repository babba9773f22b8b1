import { useMemo } from "react";
import { useResource } from "@/components/api/use-resource";

/** Returns how many payments wait for the owner, kept current by the stream. */
export function usePendingCount(initial: number): number {
  // Memoized: a new object each time would count as a new render and cause an endless loop.
  const rendered = useMemo(() => ({ pending: initial }), [initial]);
  const { data } = useResource("/api/agents/transactions/count", { initial: rendered });
  return data?.pending ?? 0;
}
