import { useResource } from "@/components/api/use-resource";

/** How many payments wait for the owner; follows the queue live. */
export function usePendingCount(initial: number): number {
  const { data } = useResource("/api/agents/transactions/count", { initial: { pending: initial } });
  return data?.pending ?? 0;
}
