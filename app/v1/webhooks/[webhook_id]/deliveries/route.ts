import { DeliveryList, toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { listDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { ListDeliveriesQuery } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: ["key", "session"],
  scope: "read",
  docs: {
    operationId: "listDeliveries",
    tag: "Webhooks",
    summary: "List deliveries",
    description: "Returns past and scheduled deliveries to the webhook, newest first, including tests and replays.",
  },
  responses: { 200: DeliveryList },
  query: ListDeliveriesQuery,
  handle: ({ ctx, params, query }) => listDeliveries(ctx, params.webhook_id ?? "", query),
  serialize: toDeliveryList,
});
