import { useMemo } from "react";
import { useResource } from "@/components/api/use-resource";

/** How many payments wait for the owner; follows the queue live. */
export function usePendingCount(initial: number): number {
  // The same object for as long as the server says the same: each new one would be shown as a new render, without end.
  const rendered = useMemo(() => ({ pending: initial }), [initial]);
  const { data } = useResource("/api/agents/transactions/count", { initial: rendered });
  return data?.pending ?? 0;
}
