import { toDeliveryList } from "@/lib/events/webhooks/delivery-resource";
import { listAllDeliveries } from "@/lib/events/webhooks/list-deliveries";
import { ListAllDeliveriesQuery } from "@/lib/events/webhooks/schema";
import { route } from "@/lib/http/route";

export const GET = route({
  auth: "session",
  query: ListAllDeliveriesQuery,
  handle: ({ ctx, query }) => listAllDeliveries(ctx, query),
  serialize: toDeliveryList,
});
