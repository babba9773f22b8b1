import { problemOf } from "@/components/lists/problem-of";
import type { SessionContext } from "@/lib/base/context/context";
import { toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { listAllDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { ListAllDeliveriesQuery } from "@/lib/events/webhooks/schema";

/** Returns a page of the delivery log, or what is wrong with its filters. */
export async function readLog(ctx: SessionContext, query: Record<string, string>) {
  const parsed = ListAllDeliveriesQuery.safeParse(query);
  if (!parsed.success) return { problem: problemOf(parsed.error) };
  return { response: toDeliveryList(await listAllDeliveries(ctx, parsed.data)) };
}
