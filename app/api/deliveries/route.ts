import { route } from "@/lib/http/route";
import { toDeliveryList } from "@/lib/webhooks/delivery-resource";
import { listAllDeliveries } from "@/lib/webhooks/list-deliveries";
import { ListAllDeliveriesQuery } from "@/lib/webhooks/schema";

export const GET = route({
  auth: "session",
  query: ListAllDeliveriesQuery,
  handle: ({ ctx, query }) => listAllDeliveries(ctx, query),
  serialize: toDeliveryList,
});
