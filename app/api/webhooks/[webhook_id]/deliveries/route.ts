import { route } from "@/lib/http/route";
import { toDeliveryList } from "@/lib/webhooks/delivery-resource";
import { listDeliveries } from "@/lib/webhooks/list-deliveries";
import { ListDeliveriesQuery } from "@/lib/webhooks/schema";

export const GET = route({
  auth: "session",
  query: ListDeliveriesQuery,
  handle: ({ ctx, params, query }) => listDeliveries(ctx, params.webhook_id ?? "", query),
  serialize: toDeliveryList,
});
