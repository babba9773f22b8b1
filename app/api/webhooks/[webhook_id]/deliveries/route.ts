import { toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { listDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { ListDeliveriesQuery } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListDeliveriesQuery,
  handle: ({ ctx, params, query }) => listDeliveries(ctx, params.webhook_id ?? "", query),
  serialize: toDeliveryList,
});
