import { route } from "@/lib/http/route";
import { toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { listAllDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { ListAllDeliveriesQuery } from "@/lib/events/webhooks/schema";

export const GET = route({
  auth: "session",
  query: ListAllDeliveriesQuery,
  handle: ({ ctx, query }) => listAllDeliveries(ctx, query),
  serialize: toDeliveryList,
});
